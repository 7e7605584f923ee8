/** Elements for dashboard pages. They read the request from the page context, so callers pass only the content. */
import type { ComponentChildren } from "preact"
import { type IconName, icons } from "../../assets/generated.ts"
import { omitUndefined } from "../../operationCaller.ts"
import { type FieldProps, LabeledField } from "../../ui/Field.tsx"
import { type DashboardPath, usePage } from "../Page.ts"
import { formatAmountInput, minutesPerUnit } from "../parts/numberFields.ts"

export { Field, HiddenFields, TextAreaField } from "../../ui/Field.tsx"

/** A decorative icon next to text. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" aria-hidden="true">
    <use href={usePage().site.link(`/assets/${icons.file}#${name}`)} />
  </svg>
)

interface LinkProps {
  readonly class?: string | undefined
  readonly id?: string
  readonly dir?: "auto" | "ltr"
  readonly title?: string | undefined
  readonly "aria-label"?: string
  readonly "aria-current"?: "page" | "date" | undefined
  /** A path to a dashboard page. */
  readonly to?: DashboardPath
  /** Any other URL. */
  readonly href?: string | undefined
  readonly children: ComponentChildren
}

/** A link to a page. */
export const Link = ({ children, class: name, href, to = "", ...rest }: LinkProps) => {
  const { site } = usePage()
  return <a class={name} href={href ?? site.link(`/dashboard${to}`)} {...rest}>{children}</a>
}

/** A link styled as a button. */
export const Button = ({ children, icon, look, ...link }: Omit<LinkProps, "class"> & {
  readonly icon?: IconName
  readonly look?: "main" | "bad" | "grave" | "plain" | "end"
}) => (
  <Link class={look === undefined ? "btn" : `btn ${look}`} {...link}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </Link>
)

/** A form with a single button, for an action without its own page. */
export const ActionButton = ({ children, icon, look, to, ...button }: {
  readonly to: DashboardPath
  readonly icon?: IconName
  readonly look?: "bad"
  readonly "aria-label"?: string
  readonly children: ComponentChildren
}) => (
  <form method="post" action={usePage().site.link(`/dashboard${to}`)} data-once="">
    <button class={look === undefined ? "btn" : `btn ${look}`} {...button}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  </form>
)

/** A submit button and a cancel link. */
export const FormButtons = ({ back, backLabel = "Go back", button, isGrave = false, label }: {
  /** The button label: a verb and an object, such as "Create key". */
  readonly button: string
  readonly isGrave?: boolean | undefined
  /** The button's accessible name, if several forms have the same button. */
  readonly label?: string | undefined
  /** The target of the cancel link. Default: no link. */
  readonly back?: DashboardPath | undefined
  readonly backLabel?: string | undefined
}) => (
  <p class={back === undefined ? undefined : "acts"}>
    <button class={isGrave ? "btn main grave" : "btn main"} aria-label={label}>{button}</button>
    {back !== undefined && <Button to={back}>{backLabel}</Button>}
  </p>
)

/** A section with a heading. */
export const Card = (
  { headerEnd, children, id, pad, title }: {
    /** The heading's ID. */
    readonly id: string
    readonly title: ComponentChildren
    /** The content next to the heading. */
    readonly headerEnd?: ComponentChildren
    /**
     * The padding and spacing around the content. Without padding, the content is flush with the edges, as rows need.
     */
    readonly pad?: "stack" | "stack tight" | "fields"
    readonly children: ComponentChildren
  }
) => (
  <section class="card" aria-labelledby={id}>
    <header>
      <h2 id={id}>{title}</h2>
      {headerEnd}
    </header>
    {pad === undefined ? children : <div class={`pad ${pad}`}>{children}</div>}
  </section>
)

/** States that a list is empty and suggests the next step. */
export const EmptyNote = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="pad soft empty">{children}</p>
)

/** A resource's facts as a description list. Facts without a value are omitted. */
export const FactList = ({ class: name = "what pad", more = [], of }: {
  readonly class?: string
  readonly of: Readonly<Record<string, ComponentChildren>>
  /** Facts whose names come from users, so any name is possible. */
  readonly more?: ReadonlyArray<readonly [name: string, value: ComponentChildren]>
}) => (
  <dl class={name}>
    {[...Object.entries(of), ...more].map(([name, value]) =>
      value !== undefined && value !== false && (
        <>
          <dt dir="auto">{name}</dt>
          <dd>{value}</dd>
        </>
      )
    )}
  </dl>
)

/** An error or warning message, which receives focus when the page loads. */
export const ErrorNote = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="note wrong" role="alert" tabIndex={-1} data-focus="">{children}</p>
)

/** Links to related pages, with descriptions. */
export const LinkList = ({ of }: {
  readonly of: ReadonlyArray<readonly [to: DashboardPath, title: string, text: string]>
}) => (
  <ul class="rows">
    {of.map(([to, title, text]) => (
      <li key={to}>
        <div class="grow">
          <Link to={to}>{title}</Link>
          <p class="soft small">{text}</p>
        </div>
      </li>
    ))}
  </ul>
)

type PagerLink = false | readonly [words: ComponentChildren, href: string]

/** Links to a list's other pages. Renders nothing if there is only one page. */
export const Pager = ({ back, label, more, only }: {
  /** The accessible name, such as `Pages`. With a label, the links are a navigation landmark. */
  readonly label?: string
  readonly back: PagerLink
  readonly more: PagerLink
  readonly only?: "on-screen"
}) => {
  if (back === false && more === false) return null
  const Tag = label === undefined ? "p" : "nav"
  return (
    <Tag class={only === undefined ? "pager" : `pager ${only}`} aria-label={label}>
      {back === false ? <span /> : <Button href={back[1]}>{back[0]}</Button>}
      {more !== false && <Button href={more[1]}>{more[0]}</Button>}
    </Tag>
  )
}

/** Links to a list's first page and to the page at the cursor `next`. `query` contains the other query parameters. */
export const CursorPager = ({ next, query }: {
  readonly next: string | undefined
  readonly query?: Readonly<Record<string, string | undefined>>
}) => {
  const cursor = usePage().query("cursor")
  const toPageUrl = (cursor?: string) => `?${new URLSearchParams(omitUndefined({ ...query, cursor }))}`
  return (
    <Pager
      label="Pages"
      back={cursor !== undefined && ["First page", toPageUrl()]}
      more={next !== undefined && ["Next page", toPageUrl(next)]}
    />
  )
}

/** Scroll containers must be focusable for keyboard users. */
const focusable = { tabIndex: 0 }

/** A scroll container for wide content such as tables, or for long content. */
export const ScrollContainer = ({ children, class: name = "scroll", label }: {
  readonly class?: string
  readonly label: string
  readonly children: ComponentChildren
}) => <section class={name} aria-label={label} {...focusable}>{children}</section>

export const Table = ({ children, heads, label, kind }: {
  readonly label: string
  /** Column headings, each with an optional class. */
  readonly heads: ReadonlyArray<string | readonly [column: string | undefined, head: ComponentChildren]>
  readonly kind?: string
  readonly children: ComponentChildren
}) => (
  <ScrollContainer label={label}>
    <table class={kind === undefined ? "list" : `list ${kind}`}>
      <thead>
        <tr>
          {heads.map((head, nth) => {
            const [column, content] = typeof head === "string" ? [undefined, head] : head
            return <th key={nth} scope="col" class={column}>{content}</th>
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </ScrollContainer>
)

/** A secret that is shown once. A click selects the text. */
export const SecretField = (
  { children, label, secret }: {
    readonly label: string
    readonly secret: string
    /** Instructions for storing the secret. */
    readonly children: ComponentChildren
  }
) => (
  <Card id="secret" title={label} pad="stack">
    <p class="secret">
      <code dir="ltr">{secret}</code>
    </p>
    <p>{children}</p>
  </Card>
)

/** A key figure in a list of tiles. */
export const StatTile = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="card tile">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** A check box. */
export const Checkbox = (
  { checked, hint, label, name, required }: {
    readonly name: string
    readonly label: string
    readonly checked: boolean
    readonly hint?: string | undefined
    readonly required?: boolean
  }
) => (
  <div class="check">
    <input
      type="checkbox"
      id={name}
      name={name}
      value="on"
      checked={checked}
      required={required}
      aria-describedby={hint === undefined ? undefined : `${name}-hint`}
    />
    <div>
      <label for={name}>{label}</label>
      {hint !== undefined && <p class="hint" id={`${name}-hint`}>{hint}</p>}
    </div>
  </div>
)

/** A group of inputs with a legend and an error. */
export const FieldGroup = ({ children, class: name, error, id, label }: {
  readonly id: string
  readonly class?: string
  readonly label: string
  readonly error: string | undefined
  readonly children: ComponentChildren
}) => (
  <fieldset id={id} class={name} tabIndex={-1}>
    <legend class="label">{label}</legend>
    {error !== undefined && <p class="bad small">{error}</p>}
    {children}
  </fieldset>
)

/** A drop-down list, with options keyed by their submitted values. */
export const Select = (
  { options, ...field }: FieldProps & { readonly options: ReadonlyArray<readonly [value: string, label: string]> }
) => (
  <LabeledField {...field}>
    {(fieldProps) => (
      <select {...fieldProps} name={field.name} id={field.name}>
        {options.map(([value, label]) => (
          <option key={value} value={value} selected={value === field.value}>{label}</option>
        ))}
      </select>
    )}
  </LabeledField>
)

/** A duration field: a number and a unit. */
export const DurationField = (
  { typed, ...field }: FieldProps & { readonly typed: Readonly<Record<string, string>> }
) => {
  const { label, name, optional } = field
  return (
    <LabeledField {...field}>
      {(fieldProps) => (
        <div class="pair">
          <input
            {...fieldProps}
            id={name}
            name={name}
            type="text"
            inputMode="decimal"
            required={optional === undefined}
            value={typed[name] ?? ""}
          />
          <select name={`${name}_unit`} aria-label={`${label}: unit`}>
            {Object.keys(minutesPerUnit).map((unit) => (
              <option key={unit} value={unit} selected={unit === typed[`${name}_unit`]}>{unit}</option>
            ))}
          </select>
        </div>
      )}
    </LabeledField>
  )
}

/** An amount, with a minus sign if it is negative. Old entries may be in a currency other than the org's. */
export const Amount = ({ cents, currency }: { readonly cents: number; readonly currency: string }) => {
  const { format, org } = usePage()
  return currency === org.currency
    ? <>{format.money(cents)}</>
    : <>{`${cents < 0 ? "-" : ""}${formatAmountInput(Math.abs(cents), currency)} ${currency.toUpperCase()}`}</>
}

/** Sums in several currencies. */
export const Amounts = (
  { of }: { readonly of: ReadonlyArray<{ readonly currency: string; readonly cents: number }> }
) => (
  <>
    {of.map(({ cents, currency }, nth) => (
      <>
        {nth > 0 && " + "}
        <Amount key={currency} cents={cents} currency={currency} />
      </>
    ))}
  </>
)
