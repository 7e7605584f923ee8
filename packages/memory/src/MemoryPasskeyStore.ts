import { PasskeyStore } from "@trailbook/core/staff/passkey/PasskeyStore"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, orgKey, putOfOrg } from "./Tables.ts"
import { takeFirst } from "./takeFirst.ts"

export const layer = storeLayer(PasskeyStore, ({ read, write }) => ({
  put: (passkey) => write((tables) => ({ ...tables, passkeys: putOfOrg(tables, tables.passkeys, [passkey]) })),
  find: (id) => read(({ passkeys }) => Table.findBy(passkeys, "id", id)),
  lock: ({ id, orgId }) => read(({ passkeys }) => Table.find(passkeys, orgKey(orgId, id))),
  list: (orgId) => read(({ passkeys }) => [...Table.range(passkeys, "created", orgId)]),
  remove: ({ id, orgId }) =>
    write((tables) => ({ ...tables, passkeys: Table.remove(tables.passkeys, orgKey(orgId, id)) })),
  removeOf: ({ id: staffId, orgId }) =>
    write((tables) => ({
      ...tables,
      passkeys: Table.removeRows(
        tables.passkeys,
        [...Table.range(tables.passkeys, "created", orgId)].filter((passkey) => passkey.staffId === staffId)
      )
    })),
  addChallenge: (challenge) => write((tables) => ({ ...tables, challenges: Table.put(tables.challenges, challenge) })),
  lockChallenge: (digest) => read(({ challenges }) => Table.find(challenges, digest)),
  removeChallenge: (digest) => write((tables) => ({ ...tables, challenges: Table.remove(tables.challenges, digest) })),
  removeOver: (before, limit) =>
    write((tables) => ({
      ...tables,
      challenges: Table.removeRows(
        tables.challenges,
        takeFirst(Table.range(tables.challenges, "over", everyOrg, { below: { at: before, id: "" } }), limit)
      )
    }))
}))
