import { savedRepliesList } from "@trailbook/core/conversation/saved-reply/savedReplyOperations"
import { notFound } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"
import type { PageContext } from "../Page.ts"

/** Loads the saved reply in the path. */
export const savedReply = ({ param, run }: Pick<PageContext, "param" | "run">) =>
  Effect.flatMap(run(savedRepliesList, {}), ({ data }) => {
    const found = data.find(({ id }) => id === param("id"))
    return found === undefined ? notFound("saved reply", "here") : Effect.succeed(found)
  })
