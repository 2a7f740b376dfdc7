"""The audit log, for admins: who asked what and was shown whom, and whether the log holds."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.access import Admin
from api.answering import AtDesk, read
from api.desk_responses import AuditOut, LoggedOut, VerifiedOut
from sourcer.workspace import audit

router = APIRouter(prefix="/audit", tags=["audit"])


@router.get("", response_model=AuditOut)
async def entries(
    desk: AtDesk,
    actor: Admin,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> AuditOut:
    """The newest entries, or those before a number."""
    await desk.pool.run(desk.auditing.flush)
    found = await read(
        desk, lambda session: audit.entries(session, actor, before=before, limit=limit)
    )
    return AuditOut(
        entries=[LoggedOut.model_validate(one) for one in found],
        before=found[-1].id if len(found) == limit else None,
    )


@router.get("/verify", response_model=VerifiedOut)
async def verify(desk: AtDesk, _: Admin) -> VerifiedOut:
    """Whether every entry is as it was written, and none is missing between the others."""
    broken = await read(desk, audit.verify)
    return VerifiedOut(holds=broken is None, first_broken=broken)
