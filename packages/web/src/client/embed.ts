// Runs in an embedded page and reports its height and completed bookings to the parent page.
import { bookingPagePath, callTool, listTools, type Tool } from "./parts/guestTools.ts"

const tell = (message: object) => {
  // The message contains no personal data, so any parent origin can receive it.
  if (parent !== window) parent.postMessage(message, "*")
}

let lastHeight = 0
const measure = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  if (height !== lastHeight) tell({ type: "trailbook:resize", height })
  lastHeight = height
}

const reportedElements = new WeakSet<Element>()
const reportBooking = () => {
  const confirmation = document.querySelector<HTMLElement>("[data-booked]")
  if (confirmation === null || reportedElements.has(confirmation)) return
  reportedElements.add(confirmation)
  tell({ type: "trailbook:booked", reference: confirmation.dataset["booked"] })
}

// While this page is shown in the Book button's popup, it receives the key presses instead of the parent page.
addEventListener("keydown", ({ defaultPrevented, key }) => {
  if (key === "Escape" && !defaultPrevented) tell({ type: "trailbook:escape" })
})

let tools: Promise<ReadonlyArray<Tool>> | undefined

/**
 * Answers calls from a website that embeds the booking page. The visitor did not choose that site, so it must not use
 * up the visitor's limits by holding seats or trying discount codes.
 */
const answerSite = async (message: unknown): Promise<object | undefined> => {
  const { id, input, name, type } = Object(message)
  if (bookingPagePath === undefined || !["trailbook:tools", "trailbook:call"].includes(type)) return
  tools ??= listTools()
  const toolList = await tools
  if (type === "trailbook:tools") {
    return { type, tools: toolList.map((tool) => tool.annotations.readOnlyHint === true ? tool : { ...tool, ...link }) }
  }
  const tool = toolList.find((tool) => tool.name === name)
  const { discount_code: _, ...toolInput } = Object(input)
  if (tool === undefined) return
  return {
    type: "trailbook:result",
    id,
    result: await (tool.annotations.readOnlyHint === true ? callTool(name, toolInput) : pageLink(toolInput))
  }
}

const link = {
  title: "Get the booking link",
  description: "Returns a link to book this trip. No seats are held."
}

const pageLink = ({ offering_id: trip }: { readonly offering_id?: unknown }) => {
  const path = typeof trip === "string" ? `${bookingPagePath}/${encodeURIComponent(trip)}` : bookingPagePath
  return { content: [{ type: "text", text: `No seats are held. The guest can book at ${location.origin}${path}.` }] }
}

addEventListener("message", ({ data, source }) => {
  if (source === parent) answerSite(data).then((answer) => answer && tell(answer), () => {})
})

new ResizeObserver(measure).observe(document.body)
new MutationObserver(reportBooking).observe(document.body, { childList: true, subtree: true })
tell({ type: "trailbook:ready" })
measure()
reportBooking()
