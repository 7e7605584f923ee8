import * as Schema from "effect/Schema"
import { deciders } from "../actor/provenance.ts"
import { type Action, actionKinds } from "../automation/Action.ts"
import { automations, dials } from "../automation/Automation.ts"
import * as LocalDate from "../time/LocalDate.ts"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { Date, Id, ids, Json, Metadata, Timestamp } from "../wire/View.ts"
import { isReversible, type Proposal, proposalStatuses } from "./Proposal.ts"

const left = <A, I>(words: string, schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(means(words, schema), { exact: true })

/**
 * @category schemas
 */
export const ActionView = Schema.Struct({
  kind: means("what it does", Schema.Literal(...actionKinds), "create_session"),
  op: means("the operation that it runs", Schema.String, "sessions.create"),
  input: means("what that is asked", Metadata, { offering_id: ids.offering, starts_at: "2027-05-02T15:00:00.000Z" }),
  facts: means("what it is about and why: the session or booking, the reason, the refund, the words", Metadata, {
    why: "full",
    reason: "9 of 10 seats are booked on 2027-05-01."
  }),
  money: left("it refunds", Schema.Boolean),
  reversible: left("it can be taken back", Schema.Boolean),
  result: left(
    "what came of it",
    Schema.Struct({
      ok: means("whether it was done", Schema.Boolean),
      data: left("the ids of what it made or changed", Json),
      error: left("why it was refused", Schema.String)
    })
  ),
  undo: left(
    "how it is taken back",
    Schema.Struct({
      op: means("the operation that does so", Schema.String, "sessions.cancel"),
      input: means("what that is asked", Metadata, { id: ids.session })
    })
  )
}).annotations({ identifier: "ProposalAction" })

/**
 * A proposal on the wire.
 *
 * @category schemas
 */
export const ProposalView = Schema.Struct({
  id: means("its id", Id, ids.proposal),
  automation: means("which automation made it", Schema.Literal(...automations), "fill"),
  status: means("pending until it has ended", Schema.Literal(...proposalStatuses), "pending"),
  dial: means(
    "ask waits for a person; with the others the agent acts by itself",
    Schema.Literal(
      ...dials.filter((dial) => dial !== "off")
    )
  ),
  title: means("what it would do, and why", Schema.String, "Open Half-day rafting on Sun, May 2, 2027"),
  day: means("the local date that it is for", Date, "2027-05-02"),
  session_id: means("the session that it is about", Schema.NullOr(Id)),
  booking_id: means("the booking that it is about", Schema.NullOr(Id)),
  data: means(
    "the brief's trips, unanswered threads and weather; held is cap or money when the agent waits instead of acting",
    Metadata,
    { booked: 9, seats: 10 }
  ),
  actions: means("what is run, in this order", Schema.Array(ActionView)),
  money: means("an action refunds", Schema.Boolean, false),
  reversible: means("it is done, and proposals.undo can take it back", Schema.Boolean, false),
  unreached: left(
    "proposals.list and proposals.approve, if it is done or failed: how many bookings have guests that its email did not " +
      "reach; call them",
    Schema.Int
  ),
  expires_at: means("from then on it is too late", Schema.NullOr(Timestamp), "2027-05-02T15:00:00.000Z"),
  created_at: means("when it was made", Timestamp, "2027-05-01T15:00:00.000Z"),
  decided_at: means("when it was decided", Schema.NullOr(Timestamp)),
  done_at: means("when it was done, or failed", Schema.NullOr(Timestamp)),
  decided_by: means("who decided", Schema.NullOr(Schema.Literal(...deciders))),
  error: means("why it failed", Schema.NullOr(Schema.String))
}).annotations({ identifier: "Proposal" })
export type ProposalView = typeof ProposalView.Type

/**
 * @category converting
 */
export const proposalView = (
  { unreached, ...proposal }: Proposal & { readonly unreached?: number }
): ProposalView => ({
  ...view({
    ...proposal,
    day: LocalDate.format(proposal.day),
    data: proposal.held === null ? proposal.data : { ...proposal.data, held: proposal.held },
    actions: proposal.actions.map(actionView),
    money: proposal.actions.some(({ money }) => money === true),
    reversible: isReversible(proposal)
  }),
  ...(unreached === undefined ? {} : { unreached })
})

const view = viewOf(ProposalView.omit("unreached"))

/**
 * @category converting
 */
export const actionView = ({ facts, ...action }: Action): typeof ActionView.Type => ({ ...action, facts: { ...facts } })
