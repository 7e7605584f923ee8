/**
 * Proposals of an outfitter in a state, newest first: what waits for a person is a few of
 * the thousands that a season leaves, and is asked for at every turn and on every page.
 */

export const proposalStates = (schema: string): ReadonlyArray<string> => [
  `create index proposals_in_state on "${schema}".proposals (org_id, status, created_at, id)`
]
