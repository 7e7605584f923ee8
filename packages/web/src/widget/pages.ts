/**
 * The view of the page about the widget, with what it is put into.
 */
export * as Document from "../ui/Document.tsx"
export { shownOf } from "../ui/Shown.ts"
export { widgetPage } from "./WidgetPage.tsx"
