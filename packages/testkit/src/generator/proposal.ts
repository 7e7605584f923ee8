import { deciderKinds } from "@trailbook/core/actor"
import { automationNames, autonomyLevels } from "@trailbook/core/automation"
import { type Proposal, type ProposalStatus, proposalStatuses } from "@trailbook/core/proposal"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as FastCheck from "effect/FastCheck"
import { moment, momentOrNull } from "./moment.ts"
import { metadata, text } from "./text.ts"

/** A small set of subjects and days, so that some coincide. */
const subject = FastCheck.constantFrom("session:a", "session:b", "day")

const state = FastCheck.oneof(
  FastCheck.record({
    status: FastCheck.constant<ProposalStatus>("pending"),
    runAt: momentOrNull
  }),
  FastCheck.record({
    status: FastCheck.constantFrom(...proposalStatuses),
    runAt: FastCheck.constant(null)
  })
)

const decision = FastCheck.oneof(
  FastCheck.constant({ decidedAt: null, decidedBy: null }),
  FastCheck.record({ decidedAt: moment, decidedBy: FastCheck.constantFrom(...deciderKinds) })
)

const action = FastCheck.record(
  {
    kind: FastCheck.constantFrom("message" as const, "create_session" as const),
    op: FastCheck.constantFrom("messages.send", "sessions.create"),
    input: metadata,
    facts: FastCheck.record({ why: FastCheck.constant("full" as const), reason: text(200) }),
    result: FastCheck.record({ ok: FastCheck.boolean(), data: metadata }, { requiredKeys: ["ok"] })
  },
  { requiredKeys: ["kind", "op", "input", "facts"] }
)

/** A proposal without an org. */
export const proposal: FastCheck.Arbitrary<Proposal> = FastCheck.tuple(
  FastCheck.record({
    id: FastCheck.uuid(),
    orgId: FastCheck.constant(""),
    automation: FastCheck.constantFrom(...automationNames),
    subject,
    day: FastCheck.constantFrom(20_000, 20_001).map(LocalDate.make),
    dial: FastCheck.constantFrom(...autonomyLevels.filter((dial) => dial !== "off")),
    held: FastCheck.constantFrom(null, "cap" as const, "money" as const),
    title: text(200),
    sessionId: FastCheck.option(FastCheck.uuid()),
    bookingId: FastCheck.option(FastCheck.uuid()),
    data: metadata,
    actions: FastCheck.array(action, { maxLength: 3 }),
    expiresAt: moment,
    createdAt: moment,
    doneAt: momentOrNull,
    error: FastCheck.option(text(200))
  }),
  state,
  decision
).map(([row, state, decision]) => ({ ...row, ...state, ...decision }))
