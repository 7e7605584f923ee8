/**
 * The booking engine for outdoor outfitters, embedded in a host application, with promises and plain types. Effect
 * services and layers are in `trailbook/effect`.
 */
export * from "@trailbook/client/operations"
export { type Result, TrailbookError } from "@trailbook/client/TrailbookError"
export { type CreateTrailbook, createTrailbook } from "./embed/createTrailbook.ts"
export type { BeforeHooks, BookingTransaction } from "./embed/hook/BeforeHooks.ts"
export type { EventHandler, EventHandlerOptions, EventSubscriber } from "./embed/hook/EventSubscriber.ts"
export { refuse } from "./embed/hook/hookRefusal.ts"
export {
  type AuthorizedCaller,
  type Clock,
  type HttpOptions,
  type OrgDetails,
  type PgPool,
  postgres,
  type PostgresDatabase,
  type RepliesOptions,
  type TrailbookOptions,
  type WebhookOptions
} from "./embed/option/TrailbookOptions.ts"
export type {
  ActorOptions,
  EventsOptions,
  OperationMethods,
  Outfitter,
  ResultOperationMethods,
  Scope,
  Source
} from "./embed/Outfitter.ts"
export type {
  Drafter,
  Files,
  LanguageModel,
  Mail,
  Mailer,
  Notifier,
  StaffNotification
} from "./embed/service/hostServices.ts"
export type { CheckoutState, PaidAmount, Payment, Payments, RefundState } from "./embed/service/Payments.ts"
export type {
  Forecast,
  ForecastHour,
  ForecastHours,
  ForecastSource,
  GaugeReadings,
  Gauges,
  GaugeSource,
  Weather
} from "./embed/service/Weather.ts"
export type {
  Connection,
  Key,
  KeyDetails,
  Keys,
  Orgs,
  Staff,
  StaffDetails,
  StaffMember,
  Trailbook,
  Worker
} from "./embed/Trailbook.ts"
export {
  type DrizzleQuery,
  type DrizzleTransaction,
  fromDrizzle,
  fromKysely,
  fromPg,
  type HostTransaction,
  type KyselyQuery,
  type KyselyTransaction,
  type PgClient,
  type TransactionOperations
} from "./embed/transaction/HostTransaction.ts"
