import type { StaffSession } from "@trailbook/core/staff/sign-in/StaffSession"
import { StaffSessionStore } from "@trailbook/core/staff/sign-in/StaffSessionStore"
import type { Instant } from "@trailbook/core/time/Instant"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { orgKey, putOfOrg, type Tables } from "./Tables.ts"

export const layer = storeLayer(StaffSessionStore, ({ read, write }) => ({
  putLink: (link) => write((tables) => ({ ...tables, signInLinks: putOfOrg(tables, tables.signInLinks, [link]) })),
  lockLink: (digest) => read(({ signInLinks }) => Table.find(signInLinks, digest)),
  links: ({ orgId, staffId }) =>
    read(({ signInLinks }) => [...Table.range(signInLinks, "ofPerson", orgKey(orgId, staffId))]),
  put: (login) => write((tables) => ({ ...tables, logins: putOfOrg(tables, tables.logins, [login]) })),
  touch: ({ expiresAt, id, lastUsedAt, orgId }) =>
    write((tables) => ({
      ...tables,
      logins: Table.change(tables.logins, orgKey(orgId, id), (login) => ({ ...login, expiresAt, lastUsedAt }))
    })),
  lock: ({ id, orgId }) => read(({ logins }) => Table.find(logins, orgKey(orgId, id))),
  find: (digest) => read(({ logins }) => Table.findBy(logins, "digest", digest)),
  list: (orgId) => read(({ logins }) => [...Table.range(logins, "created", orgId)]),
  removeOver: (person, before) => write((tables) => without(tables, person, ({ expiresAt }) => expiresAt < before)),
  removeOf: ({ id: staffId, orgId }) => write((tables) => without(tables, { orgId, staffId }, () => true))
}))

const without = (
  tables: Tables,
  { orgId, staffId }: Pick<StaffSession, "orgId" | "staffId">,
  isOver: (row: { readonly expiresAt: Instant }) => boolean
): Tables => ({
  ...tables,
  signInLinks: Table.removeRows(
    tables.signInLinks,
    [...Table.range(tables.signInLinks, "ofPerson", orgKey(orgId, staffId))].filter(isOver)
  ),
  logins: Table.removeRows(
    tables.logins,
    [...Table.range(tables.logins, "created", orgId)].filter((login) => login.staffId === staffId && isOver(login))
  )
})
