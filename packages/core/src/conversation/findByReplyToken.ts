/**
 * Finding the conversation of a secret address. All that was said in a question may be
 * in another conversation by now: its address leads there.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TenantScope } from "../port/TenantScope.ts"
import type { Conversation } from "./Conversation.ts"
import { ConversationStore } from "./ConversationStore.ts"
import { followMerge } from "./followMerge.ts"

/**
 * @category reading
 */
export const makeFindByReplyToken = Effect.map(
  ConversationStore,
  (store) => (token: string): Effect.Effect<Conversation | undefined> =>
    Effect.flatMap(store.findByToken(token), (found) =>
      Option.isNone(found) || found.value.movedTo === null
        ? Effect.succeed(Option.getOrUndefined(found))
        : withTenant(found.value.orgId)(followMerge(store)(found.value)))
)

/**
 * Work for an org that an address has led to.
 *
 * @category running
 */
export const withTenant = (orgId: string) => Effect.provideService(TenantScope, [orgId])

/**
 * How many bodies of a conversation a mail may quote.
 *
 * @category constants
 */
export const maxQuotedMessages = 50
