import { PasskeyStore } from "@trailbook/core/staff/PasskeyStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { everyOrg, putOfOrg, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<PasskeyStore, never, MemoryDatabase> = Layer.effect(
  PasskeyStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    PasskeyStore.of({
      put: (passkey) => write((tables) => ({ ...tables, passkeys: putOfOrg(tables, tables.passkeys, [passkey]) })),
      find: (id) => read(({ passkeys }) => Option.fromNullable(Table.getBy(passkeys, "id", id))),
      lock: ({ id, orgId }) => read(({ passkeys }) => Option.fromNullable(Table.get(passkeys, within(orgId, id)))),
      list: (orgId) => read(({ passkeys }) => [...Table.range(passkeys, "created", orgId)]),
      remove: ({ id, orgId }) =>
        write((tables) => ({ ...tables, passkeys: Table.remove(tables.passkeys, within(orgId, id)) })),
      removeOf: ({ id: staffId, orgId }) =>
        write((tables) => ({
          ...tables,
          passkeys: [...Table.range(tables.passkeys, "created", orgId)]
            .filter((passkey) => passkey.staffId === staffId)
            .reduce((table, { id }) => Table.remove(table, within(orgId, id)), tables.passkeys)
        })),
      addChallenge: (challenge) =>
        write((tables) => ({ ...tables, challenges: Table.put(tables.challenges, challenge) })),
      lockChallenge: (digest) => read(({ challenges }) => Option.fromNullable(Table.get(challenges, digest))),
      removeChallenge: (digest) =>
        write((tables) => ({ ...tables, challenges: Table.remove(tables.challenges, digest) })),
      removeOver: (before, limit) =>
        write((tables) => ({
          ...tables,
          challenges: [...Table.range(tables.challenges, "over", everyOrg)]
            .filter(({ expiresAt }) => expiresAt < before)
            .slice(0, limit)
            .reduce((table, { digest }) => Table.remove(table, digest), tables.challenges)
        }))
    }))
)
