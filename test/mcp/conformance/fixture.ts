/**
 * The tools, resources, and prompts that the conformance suite expects. They replace the outfitter's operations, so the
 * suite tests the adapters, the MCP mount, and the libraries. Features that the product does not use (sampling,
 * logging, subscriptions, tasks, and elicitation forms) are left out, so that no test passes without exercising our
 * code.
 */
import { invalid, Refusal } from "@trailbook/core"
import type { Operation } from "@trailbook/core/operation/Operation"
import type { CompletionRequest, McpHandlers } from "@trailbook/mcp/McpHandlers"
import * as Effect from "effect/Effect"

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
const silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="

const makeText = (text: string) => ({ type: "text", text })
const image = { type: "image", data: pixel, mimeType: "image/png" }
const makeEmbedded = (uri: string, mimeType: string, text: string) => ({
  type: "resource",
  resource: { uri, mimeType, text }
})

const results: Record<string, object> = {
  test_simple_text: { content: [makeText("This is a simple text response for testing.")] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: "audio", data: silence, mimeType: "audio/wav" }] },
  test_embedded_resource: {
    content: [makeEmbedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
  },
  test_multiple_content_types: {
    content: [
      makeText("Multiple content types test:"),
      image,
      makeEmbedded("test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}")
    ]
  },
  test_error_handling: { content: [makeText("This tool intentionally returns an error for testing")], isError: true }
}

const contents: Record<string, object> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: pixel }
}

const makeUserMessage = (content: object) => ({ role: "user", content })

const prompts: Record<string, (args: Readonly<Record<string, string>>) => ReadonlyArray<object>> = {
  test_simple_prompt: () => [makeUserMessage(makeText("This is a simple prompt for testing."))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    makeUserMessage(makeText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    makeUserMessage(makeEmbedded(resourceUri, "text/plain", "Embedded resource content for testing.")),
    makeUserMessage(makeText("Please process the embedded resource above."))
  ],
  test_prompt_with_image: () => [makeUserMessage(image), makeUserMessage(makeText("Please analyze the image above."))]
}

const argumentsByTool: Record<string, ReadonlyArray<string>> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"]
}

const makeNotFound = (what: string) =>
  Effect.fail(new Refusal({ code: "not_found", message: `The ${what} does not exist.` }))

const readContent = (uri: string): object | undefined => {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
  return id === undefined ? contents[uri] : {
    mimeType: "application/json",
    text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  }
}

const fixture = {
  tools: {
    list: () =>
      Object.keys(results).map((name) => ({
        name,
        title: name,
        description: "A tool of the suite.",
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        annotations: { title: name, readOnlyHint: true, openWorldHint: false }
      })),
    find: (name: string) => name in results ? { name, hints: {} } : undefined,
    call: (_: unknown, { name }: Operation.Any) => Effect.succeed(results[name])
  },
  resources: {
    list: () => Object.keys(contents).map((uri) => ({ uri, name: uri })),
    templates: () => [{ uriTemplate: "test://template/{id}/data", name: "template" }],
    read: (_: unknown, uri: string) => {
      const content = readContent(uri)
      return content === undefined ? makeNotFound(uri) : Effect.succeed({ uri, ...content })
    }
  },
  prompts: {
    list: () =>
      Object.keys(prompts).map((name) => ({
        name,
        description: "A prompt of the suite.",
        arguments: (argumentsByTool[name] ?? []).map((name) => ({ name, description: name, required: true }))
      })),
    get: (_: unknown, name: string, args: Readonly<Record<string, string>>) => {
      const messages = prompts[name]
      return messages === undefined ? makeNotFound(name) : Effect.succeed({ messages: messages(args) })
    }
  },
  complete: (_: unknown, { argument: { name, value: prefix } }: CompletionRequest) =>
    name === "arg1"
      ? Effect.succeed({
        values: ["paris", "park", "party"].filter((value) => value.startsWith(prefix)),
        hasMore: false
      })
      : invalid(`${name}: is not an argument`),
  question: () => Effect.succeed(undefined),
  instructions: () => Effect.succeed("A server for the suite.")
}

/**
 * Covers content that the product never returns. Images, audio, and binary data pass through the adapters unchanged.
 */
export const assistant = fixture as unknown as McpHandlers
