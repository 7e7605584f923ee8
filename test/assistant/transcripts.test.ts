import { expect, it } from "vitest"
import { readPage } from "../docs/Page.ts"
import { transcripts } from "./transcripts.ts"

it("the transcripts match a new run (npm run docs writes them)", async () => {
  expect(readPage("docs/how-to/assistant-transcripts.md").text).toBe(await transcripts())
})
