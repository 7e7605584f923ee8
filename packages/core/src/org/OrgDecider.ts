/** The transitions of an org's settings. An update without changes creates no event, so it can be repeated. */
import * as Either from "effect/Either"
import type { Decider } from "../Decider.ts"
import { changes } from "../Decider.ts"
import { invalid, type Refusal } from "../Refusal.ts"
import type { Org, OrgPatch } from "./Org.ts"

export interface OrgCommand {
  readonly _tag: "Update"
  readonly patch: OrgPatch
}

export interface OrgEvent {
  readonly _tag: "org.updated"
  readonly patch: OrgPatch
}

export const orgDecider: Decider<Org, OrgCommand, OrgEvent, { Update: Refusal<"invalid_request"> }> = {
  decide: {
    Update: (org, { patch }) => {
      const after = { ...org, ...patch }
      return (after.quietFrom === null) !== (after.quietTo === null)
        ? Either.left(invalid("quiet_from: quiet hours require both quiet_from and quiet_to, or null for both"))
        : Either.right(changes(org, patch) ? [{ _tag: "org.updated", patch }] : [])
    }
  },
  evolve: (org, { patch }) => ({ ...org, ...patch })
}
