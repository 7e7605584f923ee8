import {
  compareInboxOrder,
  containsTerms,
  type ConversationStore,
  parseQueryTerms,
  toInboxCursor,
  toListedConversation,
  toMessageSearchTerms
} from "@trailbook/core/conversation"
import { type Conversation, isUnread } from "@trailbook/core/conversation/Conversation"
import { matchesSearch, parseSearchQuery, toSearchTerms } from "@trailbook/core/customer"
import type { OrgKey } from "@trailbook/core/offering"
import * as Option from "effect/Option"
import type { Journal } from "../Journal.ts"
import { byCreation, page } from "../page.ts"
import { within } from "../Rows.ts"
import { findRows, get, inGroup, inGroups, type State } from "../State.ts"

export const conversationStore = ({ read, write }: Journal): ConversationStore["Type"] => {
  const find = (keys: ReadonlyArray<OrgKey>) => read(({ conversations }) => findRows(conversations, keys))
  const put = (rows: ReadonlyArray<Conversation>) => write(() => rows.map((row) => ({ table: "conversations", row })))
  return {
    find,
    lock: find,
    put,
    erase: put,
    findByToken: (token) => read(({ conversations }) => Option.fromIterable(inGroup(conversations, `token ${token}`))),
    findByCustomer: (customers) =>
      read(({ conversations }) =>
        inGroups(conversations, customers.map(({ id, orgId }) => `customer ${within(orgId, id)}`))
      ),
    findByEmail: (keys) =>
      read(({ conversations }) =>
        inGroups(conversations, keys.map(({ email, orgId }) => `email ${within(orgId, email)}`))
      ),
    list: ({ after, customerId, limit, now, orgId, q, status, unread }) =>
      read((state) => {
        const place = (row: Conversation) => toInboxCursor(row, now)
        return inGroup(state.conversations, `org ${orgId}`)
          .filter((row) =>
            row.lastBy !== null &&
            (status === undefined || row.status === status) &&
            (unread === undefined || isUnread(row) === unread) &&
            (customerId === undefined || row.customerId === customerId) &&
            (after === undefined || compareInboxOrder(after, place(row)) < 0) &&
            (q === undefined || finds(state, row, q))
          )
          .toSorted((a, b) => compareInboxOrder(place(a), place(b)))
          .slice(0, limit)
          .map((row) =>
            toListedConversation(
              row,
              row.customerId === null ? undefined : get(state.customers, within(row.orgId, row.customerId)),
              row.lastMessageId === null ? undefined : get(state.messages, within(row.orgId, row.lastMessageId))
            )
          )
      }),
    all: (orgId, after, limit) =>
      read(({ conversations }) => page(inGroup(conversations, `org ${orgId}`), byCreation, { after, limit }))
  }
}

/** Whether a search matches the guest or a message. */
const finds = (state: State, { customerId, fromEmail, fromName, id, orgId }: Conversation, q: string): boolean => {
  const guest = (customerId === null ? undefined : get(state.customers, within(orgId, customerId))) ??
    { name: fromName ?? "", email: fromEmail ?? "", phone: "" }
  return matchesSearch(parseSearchQuery(q), toSearchTerms(guest), []) ||
    inGroup(state.messages, `conversation ${within(orgId, id)}`).some((message) =>
      containsTerms(parseQueryTerms(q), toMessageSearchTerms(message))
    )
}
