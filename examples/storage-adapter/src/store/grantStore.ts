import type { GrantStore } from "@trailbook/core/oauth"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const grantStore = ({ read, write }: Journal): GrantStore["Type"] => ({
  put: (row) => write(() => [{ table: "grants", row }]),
  lock: ({ id, orgId }) => read(({ grants }) => Option.fromNullable(get(grants, within(orgId, id)))),
  list: (orgId) => read(({ grants }) => page(inGroup(grants, `org ${orgId}`), byCreation, { limit: Infinity })),
  isApproved: (clientId) =>
    read(({ grants }) => inGroup(grants, `client ${clientId}`).some(({ withdrawnAt }) => withdrawnAt === null)),
  touch: ({ id, orgId }, lastUsedAt) =>
    write(({ grants }) => {
      const row = get(grants, within(orgId, id))
      return row === undefined ? [] : [{ table: "grants", row: { ...row, lastUsedAt } }]
    }),
  putCode: (row) => write(() => [{ table: "grantCodes", row }]),
  lockCode: (digest) => read(({ grantCodes }) => Option.fromNullable(get(grantCodes, digest))),
  putToken: (row) => write(() => [{ table: "grantTokens", row }]),
  lockToken: (digest) => read(({ grantTokens }) => Option.fromNullable(get(grantTokens, digest))),
  findToken: (digest) =>
    read(({ grants, grantTokens }) => {
      const token = get(grantTokens, digest)
      const grant = token && get(grants, within(token.orgId, token.grantId))
      return token && grant ? Option.some({ token, grant }) : Option.none()
    }),
  removeExpired: ({ id, orgId }, before) =>
    write(({ grantCodes, grantTokens }) => {
      const of = `grant ${within(orgId, id)}`
      const isOver = ({ expiresAt }: { readonly expiresAt: number }) => expiresAt < before
      return [
        ...inGroup(grantCodes, of).filter(isOver).map((row) => ({ table: "grantCodes", row, gone: true }) as const),
        ...inGroup(grantTokens, of).filter(isOver).map((row) => ({ table: "grantTokens", row, gone: true }) as const)
      ]
    })
})
