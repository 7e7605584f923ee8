/** Calls by AI assistants, and links to their exports. */
export * from "./AssistantCalls.ts"
export * from "./assistantOperations.ts"
export * from "./ExportLinks.ts"
