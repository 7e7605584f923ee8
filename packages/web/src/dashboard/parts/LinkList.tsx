import type { Site } from "../../Site.ts"

/** Links to related pages, with descriptions. */
export const LinkList = ({ site, to }: {
  readonly site: Pick<Site, "link">
  readonly to: ReadonlyArray<{ readonly path: `/${string}`; readonly title: string; readonly text: string }>
}) => (
  <ul class="rows">
    {to.map(({ path, text, title }) => (
      <li key={path}>
        <div class="grow">
          <a href={site.link(path)}>{title}</a>
          <p class="soft small">{text}</p>
        </div>
      </li>
    ))}
  </ul>
)
