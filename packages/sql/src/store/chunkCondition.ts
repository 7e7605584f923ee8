import type { ConversationStore } from "@trailbook/core/conversation/ConversationStore"
import { inboxRanks } from "@trailbook/core/conversation/inboxOrder"
import type { Value } from "../Dialect.ts"

type Asked = Omit<Parameters<ConversationStore["Type"]["list"]>[0], "after" | "limit" | "q">

/**
 * A condition: the conversation `v` is in this section of the inbox and passes the filters. Its values are appended to
 * those given.
 */
export const chunkCondition = (
  rank: number,
  { customerId, now, orgId, status, unread }: Asked,
  given: ReadonlyArray<Value>
): { readonly condition: string; readonly values: ReadonlyArray<Value>; readonly placed: (value: Value) => string } => {
  const { lastBy, snoozed } = inboxRanks[rank] ?? inboxRanks[0]
  const values = [...given]
  const placed = (value: Value): string => {
    values.push(value)
    return `$${values.length}`
  }
  const condition = [
    `v.org_id = ${placed(orgId)}`,
    `v.last_by = ${placed(lastBy)}`,
    snoozed
      ? `v.snoozed_until > ${placed(now)}`
      : `(v.snoozed_until is null or v.snoozed_until <= ${placed(now)})`,
    ...(status === undefined ? [] : [`v.status = ${placed(status)}`]),
    ...(customerId === undefined ? [] : [`v.customer_id = ${placed(customerId)}`]),
    ...(unread === undefined ? [] : [unread ? isUnread : `not ${isUnread}`])
  ].join(" and ")
  return { condition, values, placed }
}

const isUnread = "(v.guest_at is not null and v.guest_at > coalesce(v.outfitter_read_at, -1))"
