/** Drives a page with only the keyboard. */
import type { Page } from "playwright-core"
import { assert } from "vitest"

/** The focused element, as read inside the page. */
interface Stop {
  /** The number of elements that Tab can reach. A radio group counts as one. */
  readonly count: number
  /** The index of the focused element in page order, or -1 if the page itself has focus. */
  readonly at: number
  readonly name: string
  /** Whether the focused element has a visible outline and is not covered by another element. */
  readonly isMarked: boolean
  readonly isInView: boolean
}

/** Runs inside the page, so it cannot use anything from this module. */
const stopNow = (): Stop => {
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const isOneOfRadios = (element: Element) => {
    if (!(element instanceof HTMLInputElement) || element.type !== "radio") return true
    const group = [...document.querySelectorAll<HTMLInputElement>(`input[type=radio][name="${element.name}"]`)]
      .filter((one) => one.form === element.form && !one.disabled)
    return element === (group.find(({ checked }) => checked) ?? group[0])
  }
  const reachable = [
    ...document.querySelectorAll(
      "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']"
    )
  ].filter((element) => isShown(element) && !element.matches(":disabled, [tabindex='-1']") && isOneOfRadios(element))
  const count = reachable.length
  const focused = document.activeElement
  if (focused === null || focused === document.body) {
    return { count, at: -1, name: "", isMarked: true, isInView: true }
  }
  const label = focused.getAttribute("aria-label") ??
    ((focused as HTMLInputElement).labels?.[0]?.textContent || focused.textContent || focused.id)
  const marks = [focused, focused.nextElementSibling, focused.closest("label")].filter((one) => one !== null)
  const isMarked = marks.some((one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2
  })
  // Sample only the visible part, because an element may be larger than the window.
  const box = focused.getBoundingClientRect()
  const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)]
  const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)]
  const over = left < right && top < bottom
    ? [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]].map(([x = 0, y = 0]) =>
      document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y)
    )
    : []
  const isInView = over.some((one) =>
    one !== null && (focused.contains(one) || one.contains(focused) || marks.some((mark) => mark.contains(one)))
  )
  return {
    count,
    at: reachable.indexOf(focused),
    name: label.trim().replaceAll(/\s+/g, " ").slice(0, 60),
    isMarked,
    isInView
  }
}

/**
 * Moves through a page with Tab. Asserts that each control is reached once, in page order, with visible focus, and that
 * no control traps the focus.
 */
export const walk = async (page: Page, name: string): Promise<void> => {
  await page.evaluate(() => {
    scrollTo(0, 0)
    ;(document.activeElement as HTMLElement | null)?.blur()
    getSelection()?.removeAllRanges()
  })
  const { count } = await page.evaluate(stopNow)
  const visits: Array<Stop> = []
  // A date input has several Tab stops.
  for (let presses = 0; presses < count * 8 + 10; presses++) {
    await page.keyboard.press("Tab")
    const stop = await page.evaluate(stopNow)
    const isOver = (stop.at === -1 && stop.name === "") || (stop.at === 0 && visits.length > 1)
    if (isOver || visits.length > count) break
    if (visits.at(-1)?.at !== stop.at) visits.push(stop)
  }
  const namesOf = (stops: ReadonlyArray<Stop>) => stops.map((stop) => stop.name)
  assert.strictEqual(visits[0]?.name, "Skip to content", `${name}: the first stop`)
  assert.deepStrictEqual(namesOf(visits.filter(({ isMarked }) => !isMarked)), [], `${name}: the focus cannot be seen`)
  assert.deepStrictEqual(namesOf(visits.filter(({ isInView }) => !isInView)), [], `${name}: the focus is out of sight`)
  assert.deepStrictEqual(
    visits.map(({ at }) => at),
    Array.from({ length: count }, (_, at) => at),
    `${name}: all that can be used, in its order: ${namesOf(visits).join(" | ")}`
  )
}

export interface Keys {
  /** Presses Tab until the element with the given name has focus. */
  readonly to: (name: string | RegExp) => Promise<void>
  readonly press: (...keys: ReadonlyArray<string>) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Moves to a control with Tab and presses Enter. If the control is a link or button, waits for the page to load. */
  readonly use: (name: string | RegExp) => Promise<void>
  /** Presses Enter in a field and waits for the next page to load. */
  readonly send: () => Promise<void>
  /** Waits until the page shows the text. */
  readonly reads: (text: string | RegExp) => Promise<void>
}

const mostTabs = 250

export const keysOf = (page: Page): Keys => {
  const to: Keys["to"] = async (name) => {
    for (let at = 0; at < mostTabs; at++) {
      await page.keyboard.press("Tab")
      const stop = await page.evaluate(stopNow)
      if (typeof name === "string" ? stop.name === name : name.test(stop.name)) return
    }
    assert.fail(`Tab does not reach ${name} on ${page.url()}`)
  }
  const press: Keys["press"] = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const send = async () => {
    await Promise.all([page.waitForEvent("load"), press("Enter")])
  }
  return {
    to,
    press,
    type: (text) => page.keyboard.type(text),
    use: async (name) => {
      await to(name)
      const leads = await page.evaluate(() => document.activeElement?.matches("a[href], button") === true)
      await (leads ? send() : press("Enter"))
    },
    send,
    reads: async (text) => {
      await page.getByText(text).first().waitFor()
    }
  }
}
