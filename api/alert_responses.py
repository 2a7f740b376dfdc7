"""What goes over the wire for alerts: who is new for a saved search, and where that is sent."""

from typing import Self

from pydantic import Field

from api.responses import Moment, Wire, clean
from sourcer.workspace.alerts import Event
from sourcer.workspace.deliveries import Channel, Delivery, State, Subscription


class NewCommitOut(Wire):
    repo: str = Field(examples=["vllm-project/vllm"])
    sha: str
    subject: str
    at: Moment


class NewFieldOut(Wire):
    field: str = Field(examples=["employer"])
    value: str
    at: Moment


class AlertOut(Wire):
    """A person who is new for a saved search, and what brought them in."""

    id: int
    person_id: str
    name: str
    at: Moment
    snapshot: str
    says: str = Field(examples=["2 new commits"])
    commits: list[NewCommitOut]
    fields: list[NewFieldOut]

    @classmethod
    def of(cls, event: Event, name: str) -> Self:
        news = event.news
        return cls(
            id=event.id,
            person_id=event.person_id,
            name=str(clean(name)),
            at=event.at,
            snapshot=event.snapshot,
            says=news.says,
            commits=[NewCommitOut.model_validate(one) for one in news.commits],
            fields=[NewFieldOut.model_validate(one) for one in news.fields],
        )


class AlertsOut(Wire):
    """Newest first."""

    alerts: list[AlertOut]
    checked_at: Moment | None = Field(description="When it was last asked; null: not yet.")


class SubscribeIn(Wire):
    channel: Channel
    target: str = Field(
        min_length=3,
        max_length=500,
        description="The webhook's https address, or your own mailbox.",
        examples=["https://ats.example/hooks/sourcer"],
    )


class SubscriptionOut(Wire):
    id: int
    slug: str
    channel: Channel
    target: str = Field(description="A mailbox is not told.")
    owner: str

    @classmethod
    def of(cls, one: Subscription) -> Self:
        is_mail = one.channel is Channel.EMAIL
        target = "a mailbox" if is_mail else str(clean(one.target))
        return cls(id=one.id, slug=one.slug, channel=one.channel, target=target, owner=one.owner)


class SubscriptionGivenOut(Wire):
    subscription: SubscriptionOut
    secret: str = Field(description="Signs the webhook's bodies. Shown only now.")


class SubscriptionsOut(Wire):
    subscriptions: list[SubscriptionOut]


class DeliveryOut(Wire):
    """News that could not be delivered."""

    id: int
    subscription_id: int
    state: State
    attempts: int
    said: str | None = Field(examples=["the webhook answered 500"])

    @classmethod
    def of(cls, one: Delivery) -> Self:
        return cls.model_validate({name: getattr(one, name) for name in cls.model_fields})


class DeliveriesDeadOut(Wire):
    deliveries: list[DeliveryOut]
