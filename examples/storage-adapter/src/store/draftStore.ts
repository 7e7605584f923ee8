import type { DraftStore } from "@trailbook/core/conversation"
import type { Journal } from "../Journal.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const draftStore = ({ read, write }: Journal): DraftStore["Type"] => ({
  requestTimes: (orgId) =>
    read(({ drafts }) => inGroup(drafts, `org ${orgId}`).map(({ at }) => at).sort((one, other) => one - other)),
  add: (row) => write(() => [{ table: "drafts", row }]),
  remove: ({ id, orgId }) =>
    write(({ drafts }) => {
      const row = get(drafts, within(orgId, id))
      return row === undefined ? [] : [{ table: "drafts", row, gone: true }]
    }),
  forget: (orgId, until) =>
    write(({ drafts }) =>
      inGroup(drafts, `org ${orgId}`)
        .filter(({ at }) => at <= until)
        .map((row) => ({ table: "drafts", row, gone: true }))
    )
})
