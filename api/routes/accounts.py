"""Tokens for programs, and the users behind them."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from api.access import Admin, Viewer, access_of
from api.answering import AtDesk, IdempotencyKey, read, write
from api.desk_requests import AddUserIn, ChangeUserIn, GiveTokenIn
from api.desk_responses import TokenGivenOut, TokenOut, TokensOut, UserOut, UsersOut
from sourcer.errors import Conflict
from sourcer.workspace import Session, accounts, tokens
from sourcer.workspace.actors import Role

router = APIRouter(tags=["accounts"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
UserName = Annotated[str, Path(min_length=1, max_length=64)]


@router.get("/tokens", response_model=TokensOut)
async def every_token(desk: AtDesk, actor: Viewer) -> TokensOut:
    """Your tokens, newest first; everybody's for an admin."""
    found = await read(desk, lambda session: tokens.every(session, actor))
    return TokensOut(tokens=[TokenOut.model_validate(one) for one in found])


@router.post("/tokens", response_model=TokenGivenOut, status_code=201)
async def give_token(
    request: Request, desk: AtDesk, actor: Viewer, body: GiveTokenIn, _: IdempotencyKey = None
) -> Response:
    """A new token; its secret is shown only now, and only its hash is kept."""
    if access_of(request).is_open and actor.name == "local":
        raise Conflict("tokens belong to users. Add one first: sourcer users add NAME")
    lasts = None if body.days is None else timedelta(days=body.days)

    def do(session: Session) -> TokenGivenOut:
        token, secret = tokens.give(session, actor, body.label, body.scope, lasts)
        return TokenGivenOut(token=TokenOut.model_validate(token), secret=secret)

    return await write(request, desk, actor, do, 201, hide=frozenset({"secret"}))


@router.delete("/tokens/{number}", response_model=TokenOut)
async def revoke_token(
    request: Request, desk: AtDesk, actor: Viewer, number: Number, _: IdempotencyKey = None
) -> Response:
    """The token does not hold from now on."""
    answer = await write(
        request, desk, actor,
        lambda session: TokenOut.model_validate(tokens.revoke(session, actor, number)),
    )  # fmt: skip
    access_of(request).forget()
    return answer


@router.get("/users", response_model=UsersOut)
async def every_user(desk: AtDesk, _: Admin) -> UsersOut:
    """Everybody who works with the workspace."""
    found = await read(desk, accounts.every)
    return UsersOut(users=[out(one) for one in found])


@router.post("/users", response_model=UserOut, status_code=201)
async def add_user(
    request: Request, desk: AtDesk, actor: Admin, body: AddUserIn, _: IdempotencyKey = None
) -> Response:
    """A new user, with a password or an identity at the login provider."""
    return await write(
        request, desk, actor,
        lambda session: out(
            accounts.add(
                session, actor, body.name, body.role,
                password=body.password, identity=body.identity,
            )
        ), 201,
    )  # fmt: skip


@router.patch("/users/{name}", response_model=UserOut)
async def change_user(
    request: Request,
    desk: AtDesk,
    actor: Viewer,
    name: UserName,
    body: ChangeUserIn,
    _: IdempotencyKey = None,
) -> Response:
    """Another role or password, or no access any more; your own password needs no admin."""

    def do(session: Session) -> UserOut:
        found = accounts.get(session, name) if actor.role is Role.ADMIN else None
        if body.role is not None:
            found = accounts.set_role(session, actor, name, body.role)
        if body.password is not None:
            found = accounts.set_password(session, actor, name, body.password)
        if body.disabled:
            found = accounts.disable(session, actor, name)
        if found is None:
            actor.must_be(Role.ADMIN)
        return out(found or accounts.get(session, name))

    answer = await write(request, desk, actor, do)
    access_of(request).forget()
    return answer


def out(user: accounts.User) -> UserOut:
    return UserOut.model_validate({name: getattr(user, name) for name in UserOut.model_fields})
