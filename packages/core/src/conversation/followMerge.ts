import * as Effect from "effect/Effect"
import type { OrgKey } from "../offering/OfferingStore.ts"
import type { Conversation } from "./Conversation.ts"
import type { ConversationStore } from "./ConversationStore.ts"

/**
 * The conversation of a key; where all of it was taken into another one, that.
 *
 * @category reading
 */
export const followMerge =
  ({ find }: Pick<ConversationStore["Type"], "find">) => (key: OrgKey): Effect.Effect<Conversation | undefined> =>
    Effect.flatMap(find([key]), ([found]) =>
      found === undefined || found.movedTo === null
        ? Effect.succeed(found)
        : Effect.map(find([{ orgId: found.orgId, id: found.movedTo }]), ([other]) => other))
