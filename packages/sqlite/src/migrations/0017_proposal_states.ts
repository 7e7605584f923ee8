/**
 * Proposals of an outfitter in a state, newest first: what waits for a person is a few of
 * the thousands that a season leaves, and is asked for at every turn and on every page.
 */
import { believed } from "./0002_statistics.ts"

export const proposalStates: ReadonlyArray<string> = [
  "create index proposals_in_state on proposals (org_id, status, created_at, id)",
  ...believed([["proposals", "proposals_in_state", 1e6, 1000, 200, 1, 1]])
]
