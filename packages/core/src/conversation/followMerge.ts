import * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Conversation } from "./Conversation.ts"
import type { ConversationStore } from "./ConversationStore.ts"

/** Finds a conversation by key. If it was merged into another one, returns that one. */
export const followMerge =
  ({ find }: Pick<ConversationStore["Type"], "find">) => (key: OrgKey): Effect.Effect<Conversation | undefined> =>
    Effect.flatMap(find([key]), ([found]) =>
      found === undefined || found.movedTo === null
        ? Effect.succeed(found)
        : Effect.map(find([{ orgId: found.orgId, id: found.movedTo }]), ([other]) => other))
