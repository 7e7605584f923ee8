import { type Session, sessionStatuses } from "@trailbook/core/session/Session"
import * as FastCheck from "effect/FastCheck"
import { moment, span } from "./moment.ts"
import { text } from "./text.ts"

/** A session without an org or offering. */
export const session: FastCheck.Arbitrary<Session> = FastCheck.record({
  id: FastCheck.uuid(),
  orgId: FastCheck.constant(""),
  offeringId: FastCheck.constant(""),
  span,
  capacity: FastCheck.option(FastCheck.integer({ min: 1, max: 10_000 })),
  status: FastCheck.constantFrom(...sessionStatuses),
  notes: text(2000),
  createdAt: moment,
  judgedAt: moment
}).map(({ span, ...session }) => ({ ...session, ...span }))
