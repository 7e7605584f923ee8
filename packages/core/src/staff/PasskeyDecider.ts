/**
 * The only transition of a passkey is a use. The counter must increase if the device counts; otherwise the passkey was
 * copied.
 */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import type { Passkey } from "./Passkey.ts"

export interface PasskeyCommand {
  readonly _tag: "Use"
  /** The counter that the device reports, or 0 if it does not count. */
  readonly counter: number
  readonly now: Instant
}

export interface PasskeyEvent {
  readonly _tag: "passkey.used"
  readonly counter: number
  readonly at: Instant
}

export const passkeyDecider: Decider<Passkey, PasskeyCommand, PasskeyEvent, { Use: Refusal<"unauthorized"> }> = {
  decide: {
    Use: (passkey, { counter, now }) =>
      counter > passkey.counter || (counter === 0 && passkey.counter === 0)
        ? Either.right([{ _tag: "passkey.used", counter, at: now }])
        : Either.left(refuse("unauthorized", copied))
  },
  evolve: (passkey, { at, counter }) => ({ ...passkey, counter, lastUsedAt: at })
}

const copied =
  "This passkey is blocked because it may have been copied. Sign in with an emailed link, then remove the passkey."
