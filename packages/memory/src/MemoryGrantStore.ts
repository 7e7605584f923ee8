import { GrantStore } from "@trailbook/core/oauth/GrantStore"
import * as Option from "effect/Option"
import { storeLayer } from "./MemoryDatabase.ts"
import * as Table from "./Table.ts"
import { orgKey, putOfOrg, requireRow } from "./Tables.ts"

export const layer = storeLayer(GrantStore, ({ read, write }) => ({
  put: (grant) => write((tables) => ({ ...tables, grants: putOfOrg(tables, tables.grants, [grant]) })),
  lock: ({ id, orgId }) => read(({ grants }) => Table.find(grants, orgKey(orgId, id))),
  list: (orgId) => read(({ grants }) => [...Table.range(grants, "created", orgId)]),
  isApproved: (clientId) =>
    read(({ grants }) =>
      [...Table.range(grants, "ofClient", clientId)].some(({ withdrawnAt }) => withdrawnAt === null)
    ),
  touch: ({ id, orgId }, lastUsedAt) =>
    write((tables) => ({
      ...tables,
      grants: Table.change(tables.grants, orgKey(orgId, id), (grant) => ({ ...grant, lastUsedAt }))
    })),
  putCode: (code) =>
    write((tables) => {
      requireRow(tables.grants, orgKey(code.orgId, code.grantId))
      return { ...tables, grantCodes: Table.put(tables.grantCodes, code) }
    }),
  lockCode: (digest) => read(({ grantCodes }) => Table.find(grantCodes, digest)),
  putToken: (token) =>
    write((tables) => {
      requireRow(tables.grants, orgKey(token.orgId, token.grantId))
      return { ...tables, grantTokens: Table.put(tables.grantTokens, token) }
    }),
  lockToken: (digest) => read(({ grantTokens }) => Table.find(grantTokens, digest)),
  found: (digest) =>
    read(({ grants, grantTokens }) => {
      const token = Table.get(grantTokens, digest)
      const grant = token && Table.get(grants, orgKey(token.orgId, token.grantId))
      return token && grant ? Option.some({ token, grant }) : Option.none()
    }),
  removeOver: ({ id, orgId }, before) =>
    write((tables) => {
      const of = orgKey(orgId, id)
      const isOver = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt < before
      return {
        ...tables,
        grantCodes: Table.removeRows(
          tables.grantCodes,
          [...Table.range(tables.grantCodes, "ofGrant", of)].filter(isOver)
        ),
        grantTokens: Table.removeRows(
          tables.grantTokens,
          [...Table.range(tables.grantTokens, "ofGrant", of)].filter(isOver)
        )
      }
    })
}))
