/** The only transition of a sign-in link: it is used once, before it expires. */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Instant } from "../time/Instant.ts"
import type { SignInLink } from "./SignInLink.ts"

export interface SignInLinkCommand {
  readonly _tag: "Spend"
  readonly now: Instant
}

export interface SignInLinkEvent {
  readonly _tag: "link.spent"
  readonly at: Instant
}

export const signInLinkDecider: Decider<
  SignInLink,
  SignInLinkCommand,
  SignInLinkEvent,
  { Spend: Refusal<"unauthorized"> }
> = {
  decide: {
    Spend: ({ expiresAt, spentAt }, { now }) => {
      if (spentAt !== null) return Either.left(refuse("unauthorized", usedLink))
      return now < expiresAt
        ? Either.right([{ _tag: "link.spent", at: now }])
        : Either.left(refuse("unauthorized", oldLink))
    }
  },
  evolve: (link, { at }) => ({ ...link, spentAt: at })
}

const usedLink = "This sign-in link was already used. Request a new link."

const oldLink = "This sign-in link has expired. Request a new link."
