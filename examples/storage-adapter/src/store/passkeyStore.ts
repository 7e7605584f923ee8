import type { PasskeyStore } from "@trailbook/core/staff"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const passkeyStore = ({ read, write }: Journal): PasskeyStore["Type"] => ({
  put: (row) => write(() => [{ table: "passkeys", row }]),
  find: (id) => read(({ passkeys }) => Option.fromNullable(inGroup(passkeys, `id ${id}`)[0])),
  lock: ({ id, orgId }) => read(({ passkeys }) => Option.fromNullable(get(passkeys, within(orgId, id)))),
  list: (orgId) => read(({ passkeys }) => page(inGroup(passkeys, `org ${orgId}`), byCreation, { limit: Infinity })),
  remove: ({ id, orgId }) =>
    write(({ passkeys }) => {
      const row = get(passkeys, within(orgId, id))
      return row === undefined ? [] : [{ table: "passkeys", row, gone: true }]
    }),
  removeOf: ({ id: staffId, orgId }) =>
    write(({ passkeys }) =>
      inGroup(passkeys, `org ${orgId}`)
        .filter((row) => row.staffId === staffId)
        .map((row) => ({ table: "passkeys", row, gone: true }))
    ),
  addChallenge: (row) => write(() => [{ table: "challenges", row }]),
  lockChallenge: (digest) => read(({ challenges }) => Option.fromNullable(get(challenges, digest))),
  removeChallenge: (digest) =>
    write(({ challenges }) => {
      const row = get(challenges, digest)
      return row === undefined ? [] : [{ table: "challenges", row, gone: true }]
    }),
  removeOver: (before, limit) =>
    write(({ challenges }) =>
      inGroup(challenges, "all")
        .filter(({ expiresAt }) => expiresAt < before)
        .slice(0, limit)
        .map((row) => ({ table: "challenges", row, gone: true }))
    )
})
