/** Modules that every dashboard page needs, loaded as one chunk. */
export * as Document from "../../ui/Document.tsx"
export { makeDashboardContext } from "./dashboardContext.ts"
export { renderFrame } from "./Frame.tsx"
export { refusedPage } from "./RefusedPage.tsx"
