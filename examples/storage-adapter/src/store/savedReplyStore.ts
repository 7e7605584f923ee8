import type { SavedReplyStore } from "@trailbook/core/conversation"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { within } from "../Rows.ts"
import { get, inGroup } from "../State.ts"

export const savedReplyStore = ({ read, write }: Journal): SavedReplyStore["Type"] => ({
  lock: ({ id, orgId }) => read(({ savedReplies }) => Option.fromNullable(get(savedReplies, within(orgId, id)))),
  list: (orgId) => read(({ savedReplies }) => inGroup(savedReplies, `org ${orgId}`)),
  put: (row) => write(() => [{ table: "savedReplies", row }]),
  remove: ({ id, orgId }) =>
    write(({ savedReplies }) => {
      const row = get(savedReplies, within(orgId, id))
      return row === undefined ? [] : [{ table: "savedReplies", row, gone: true }]
    })
})
