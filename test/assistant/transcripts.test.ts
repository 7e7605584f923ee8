import { expect, it } from "vitest"
import { read } from "../docs/Page.ts"
import { transcripts } from "./transcripts.ts"

it("the transcripts match a new run (npm run docs writes them)", async () => {
  expect(read("docs/how-to/assistant-transcripts.md").text).toBe(await transcripts())
})
