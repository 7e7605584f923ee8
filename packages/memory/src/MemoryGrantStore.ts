import { GrantStore } from "@trailbook/core/application/GrantStore"
import * as Option from "effect/Option"
import { over } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { putOfOrg, referred, within } from "./Tables.ts"

/**
 * @category layers
 */
export const layer = over(GrantStore, ({ read, write }) => ({
  put: (grant) => write((tables) => ({ ...tables, grants: putOfOrg(tables, tables.grants, [grant]) })),
  lock: ({ id, orgId }) => read(({ grants }) => Table.find(grants, within(orgId, id))),
  list: (orgId) => read(({ grants }) => [...Table.range(grants, "created", orgId)]),
  isApproved: (clientId) =>
    read(({ grants }) =>
      [...Table.range(grants, "ofClient", clientId)].some(({ withdrawnAt }) => withdrawnAt === null)
    ),
  touch: ({ id, orgId }, lastUsedAt) =>
    write((tables) => ({
      ...tables,
      grants: Table.change(tables.grants, within(orgId, id), (grant) => ({ ...grant, lastUsedAt }))
    })),
  putCode: (code) =>
    write((tables) => {
      referred(tables.grants, within(code.orgId, code.grantId))
      return { ...tables, grantCodes: Table.put(tables.grantCodes, code) }
    }),
  lockCode: (digest) => read(({ grantCodes }) => Table.find(grantCodes, digest)),
  putToken: (token) =>
    write((tables) => {
      referred(tables.grants, within(token.orgId, token.grantId))
      return { ...tables, grantTokens: Table.put(tables.grantTokens, token) }
    }),
  lockToken: (digest) => read(({ grantTokens }) => Table.find(grantTokens, digest)),
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
        grantCodes: Table.without(tables.grantCodes, [...Table.range(tables.grantCodes, "ofGrant", of)].filter(isOver)),
        grantTokens: Table.without(
          tables.grantTokens,
          [...Table.range(tables.grantTokens, "ofGrant", of)].filter(isOver)
        )
      }
    })
}))
