/**
 * Finds the conversation for a key or a secret address, and the conversation's guest. If the conversation was merged
 * into another one, returns that one. Also locks a conversation's customer, and creates the secret tokens of reply
 * addresses.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Customer, CustomerStore } from "../customer/Customer.ts"
import type { OrgKey } from "../offering/OfferingStore.ts"
import { failIfNotFound } from "../port/failIfNotFound.ts"
import type { Ids } from "../port/Ids.ts"
import { TenantScope } from "../port/UnitOfWork.ts"
import { type Refusal, refuse } from "../Refusal.ts"
import type { Conversation } from "./Conversation.ts"
import type { ConversationStore } from "./ConversationStore.ts"

type Store = ConversationStore["Type"]

export const findConversation =
  (store: Store) => ({ id, orgId }: OrgKey): Effect.Effect<Conversation, Refusal<"not_found">> => {
    const find = (id: string) => Effect.flatMap(store.find([{ orgId, id }]), failIfNotFound("conversation", id))
    return Effect.flatMap(find(id), (row) => row.movedTo === null ? Effect.succeed(row) : find(row.movedTo))
  }

export const findConversationByReplyToken =
  (store: Store) => (token: string): Effect.Effect<Conversation | undefined> =>
    Effect.flatMap(store.findByToken(token), (match) =>
      Option.isNone(match) || match.value.movedTo === null
        ? Effect.succeed(Option.getOrUndefined(match))
        : provideTenantScope(match.value.orgId)(
          Effect.orElseSucceed(findConversation(store)(match.value), () => undefined)
        ))

/** Sets the tenant scope to the org that an address belongs to. */
export const provideTenantScope = (orgId: string) => Effect.provideService(TenantScope, [orgId])

/** Returns the contact data for a conversation's guest. All fields are empty if the guest was erased. */
export const makeLoadGuestContact = Effect.map(
  CustomerStore,
  (customers) => ({ customerId, fromEmail, fromName, orgId }: Conversation) =>
    customerId === null
      ? Effect.succeed({ name: fromName ?? "", email: fromEmail ?? "", phone: "" })
      : Effect.map(customers.find([{ orgId, id: customerId }]), ([customer]) => ({
        name: customer?.name ?? "",
        email: customer?.email ?? "",
        phone: customer?.phone ?? ""
      }))
)

/** Locks a customer. Fails if the customer was erased. */
export const lockCustomer = (
  customers: CustomerStore["Type"],
  key: OrgKey
): Effect.Effect<Customer, Refusal<"not_found" | "customer_erased">> =>
  Effect.flatMap(
    Effect.flatMap(customers.lock([key]), failIfNotFound("customer", key.id)),
    (customer) => customer.erasedAt === null ? Effect.succeed(customer) : refuse("customer_erased")
  )

/**
 * Creates the token for a conversation's address: 26 letters and digits, which encode 130 bits. They are lowercase,
 * because mail servers do not preserve case.
 */
export const makeReplyToken = ({ digest, handle }: Pick<Ids["Type"], "digest" | "handle">): string =>
  encodeToken(digest(handle()))

/**
 * Creates the token for a staff member's reply address, `team+<token>`. It consists of the conversation's token and 26
 * letters and digits derived from that token and the staff member's ID. It is not stored. The address stops working
 * when the guest is erased or the staff member is removed.
 */
export const makeStaffReplyToken = (
  { digest }: Pick<Ids["Type"], "digest">,
  conversationToken: string,
  staffId: string
): string => conversationToken + encodeToken(digest(`${conversationToken} ${staffId}`))

/** Returns the conversation's part of a staff reply token. */
export const parseStaffReplyToken = (token: string): string => token.slice(0, -tokenLength)

const encodeToken = (digest: string): string =>
  BigInt.asUintN(130, BigInt(`0x${digest}`)).toString(32).padStart(tokenLength, "0")

const tokenLength = 26
