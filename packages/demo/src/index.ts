/** The demo: a fictional outfitter with a season of guests and bookings, and a test payment provider. */
export { type Demo, type DemoSettings, type PreparedDemo, prepareDemo } from "./prepareDemo.ts"
