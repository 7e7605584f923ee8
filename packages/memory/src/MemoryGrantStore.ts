import { GrantStore } from "@trailbook/core/application/GrantStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, referred, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer: Layer.Layer<GrantStore, never, MemoryDatabase> = Layer.effect(
  GrantStore,
  Effect.map(MemoryDatabase, ({ read, write }) =>
    GrantStore.of({
      put: (grant) => write((tables) => ({ ...tables, grants: putOfOrg(tables, tables.grants, [grant]) })),
      lock: ({ id, orgId }) => read(({ grants }) => Option.fromNullable(Table.get(grants, within(orgId, id)))),
      list: (orgId) => read(({ grants }) => [...Table.range(grants, "created", orgId)]),
      isApproved: (clientId) =>
        read(({ grants }) =>
          [...Table.range(grants, "ofClient", clientId)].some(({ withdrawnAt }) => withdrawnAt === null)
        ),
      touch: ({ id, orgId }, lastUsedAt) =>
        write((tables) => {
          const grant = Table.get(tables.grants, within(orgId, id))
          return grant === undefined
            ? tables
            : { ...tables, grants: Table.put(tables.grants, { ...grant, lastUsedAt }) }
        }),
      putCode: (code) =>
        write((tables) => {
          referred(tables.grants, within(code.orgId, code.grantId))
          return { ...tables, grantCodes: Table.put(tables.grantCodes, code) }
        }),
      lockCode: (digest) => read(({ grantCodes }) => Option.fromNullable(Table.get(grantCodes, digest))),
      putToken: (token) =>
        write((tables) => {
          referred(tables.grants, within(token.orgId, token.grantId))
          return { ...tables, grantTokens: Table.put(tables.grantTokens, token) }
        }),
      lockToken: (digest) => read(({ grantTokens }) => Option.fromNullable(Table.get(grantTokens, digest))),
      found: (digest) =>
        read(({ grants, grantTokens }) => {
          const token = Table.get(grantTokens, digest)
          const grant = token && Table.get(grants, within(token.orgId, token.grantId))
          return token && grant ? Option.some({ token, grant }) : Option.none()
        }),
      removeOver: ({ id, orgId }, before) =>
        write((tables) => {
          const of = within(orgId, id)
          const isOver = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt < before
          return {
            ...tables,
            grantCodes: [...Table.range(tables.grantCodes, "ofGrant", of)].filter(isOver)
              .reduce((table, { digest }) => Table.remove(table, digest), tables.grantCodes),
            grantTokens: [...Table.range(tables.grantTokens, "ofGrant", of)].filter(isOver)
              .reduce((table, { digest }) => Table.remove(table, digest), tables.grantTokens)
          }
        })
    }))
)
