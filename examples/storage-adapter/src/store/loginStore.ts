import type { StaffSession, StaffSessionStore } from "@trailbook/core/staff"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { type Change, get, inGroup, type State } from "../State.ts"

export const loginStore = ({ read, write }: Journal): StaffSessionStore["Type"] => ({
  putLink: (row) => write(() => [{ table: "signInLinks", row }]),
  lockLink: (digest) => read(({ signInLinks }) => Option.fromNullable(get(signInLinks, digest))),
  links: ({ orgId, staffId }) =>
    read(({ signInLinks }) =>
      inGroup(signInLinks, `person ${within(orgId, staffId)}`)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.digest < b.digest ? -1 : 1))
    ),
  put: (row) => write(() => [{ table: "logins", row }]),
  touch: ({ expiresAt, id, lastUsedAt, orgId }) =>
    write(({ logins }) => {
      const row = get(logins, within(orgId, id))
      return row === undefined ? [] : [{ table: "logins", row: { ...row, expiresAt, lastUsedAt } }]
    }),
  lock: ({ id, orgId }) => read(({ logins }) => Option.fromNullable(get(logins, within(orgId, id)))),
  find: (digest) => read(({ logins }) => Option.fromNullable(inGroup(logins, `digest ${digest}`)[0])),
  list: (orgId) => read(({ logins }) => page(inGroup(logins, `org ${orgId}`), byCreation, { limit: Infinity })),
  removeOver: (person, before) => write((state) => without(state, person, ({ expiresAt }) => expiresAt < before)),
  removeOf: ({ id: staffId, orgId }) => write((state) => without(state, { orgId, staffId }, () => true))
})

const without = (
  { logins, signInLinks }: State,
  { orgId, staffId }: Pick<StaffSession, "orgId" | "staffId">,
  isOver: (row: Pick<StaffSession, "expiresAt">) => boolean
): ReadonlyArray<Change> => {
  const group = `person ${within(orgId, staffId)}`
  return [
    ...inGroup(signInLinks, group).filter(isOver).map((row) => ({ table: "signInLinks", row, gone: true }) as const),
    ...inGroup(logins, group).filter(isOver).map((row) => ({ table: "logins", row, gone: true }) as const)
  ]
}
