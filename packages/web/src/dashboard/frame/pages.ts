/** What every page of the dashboard needs, to be loaded together. */
export * as Document from "../../ui/Document.tsx"
export { makeDashboardContext } from "./dashboardContext.ts"
export { renderFrame } from "./Frame.tsx"
export { refusedPage } from "./RefusedPage.tsx"
