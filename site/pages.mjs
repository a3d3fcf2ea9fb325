// Makes the site's pages in site/pages from docs/, from the tours of the papers in package-info files, and from what the program prints.
import {execFileSync} from 'node:child_process'
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join, posix} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pages = join(root, 'site', 'pages')
// Where links to sources go. No public repository is known yet.
const repository = process.env.LEMMATA_REPOSITORY ?? 'https://example.org/lemmata/blob/main'

const papers = {
  depth: 'Richard (2024)',
  symbol: 'Boix-Adsera et al. (2024)',
  length: 'Izzo, Nichani and Lee (2025)',
  hierarchy: 'Hayakawa and Sato (2024)',
  parity: 'Kim and Suzuki (2024)',
}

const read = path => readFileSync(join(root, path), 'utf8')
const write = (path, text) => {
  mkdirSync(dirname(join(pages, path)), {recursive: true})
  writeFileSync(join(pages, path), text)
}

/** Every Markdown file below docs, as a path relative to docs. */
const documents = (directory = '') => readdirSync(join(root, 'docs', directory), {withFileTypes: true}).flatMap(entry => {
  const path = posix.join(directory, entry.name)
  return entry.isDirectory() ? documents(path) : path.endsWith('.md') ? [path] : []
})

/** Links out of docs, and to directories and sources in it, lead to the repository. */
const linked = (text, from) => text.replace(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (link, target) => {
  const [path, anchor] = target.split('#')
  const full = posix.normalize(posix.join('docs', dirname(from), path))
  const page = full.startsWith('docs/') && /\.(md|png|svg)$/.test(path)
  return page ? link : `](${repository}/${full}${anchor ? '#' + anchor : ''})`
})

/** Sections of a page at level 2 whose heading passes. */
const sections = (text, passes) => text.split(/^(?=## )/m).slice(1).filter(section => passes(section.split('\n', 1)[0]))

/** The Javadoc of a paper's package as Markdown; code and links to classes become code. */
const tour = paper => read(`src/main/java/org/lemmata/claim/${paper}/package-info.java`)
  .match(/\/\*\*([\s\S]*?)\*\//)[1]
  .replace(/^ *\* ?/gm, '')
  .replace(/\{@link[^}]*?[.#]?([A-Za-z0-9_]+)(?:\([^)]*\))?(?: [^}]*)?\}/g, '`$1`')
  .replace(/\{@code ([^}]*)\}/g, '`$1`')
  .replace(/<\/?i>/g, '*').replace(/<p>/g, '').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
  .trim()

const lemmata = (...words) => execFileSync(join(root, 'bin', 'lemmata'), words, {encoding: 'utf8', env: {...process.env, COLUMNS: '100'}})
const block = text => '```text\n' + text.trimEnd() + '\n```\n'

if (!existsSync(join(root, 'target', 'lemmata.jar'))) {
  throw new Error('target/lemmata.jar: expected a built program; run mvn -q -Dmaven.test.skip -P jmh package')
}
rmSync(pages, {recursive: true, force: true})
for (const path of documents()) {
  const to = path.replace(/(^|\/)README\.md$/, '$1index.md')
  write(to === 'index.md' ? 'guide.md' : to, linked(read(join('docs', path)), path).replace(/README\.md(?=[)#])/g, 'index.md'))
}
for (const file of readdirSync(join(root, 'docs')).filter(name => /\.(png|svg)$/.test(name))) {
  cpSync(join(root, 'docs', file), join(pages, file))
}

// The front page is README; its links are relative to the root.
write('index.md', linked(read('README.md').replace(/\]\((?!https?:|docs)/g, '](../').replace(/\]\(docs\//g, ']('), 'README.md')
  .replace(/\]\(README\.md/g, '](guide.md'))

// A plot of each trained figure, drawn from the recorded cells, with the authors' points where they can be read. This cell is
// recomputed in 0.1 s; without a choice, the program would recompute one for each paper, for up to 25 s.
const figures = [...read('docs/figures.md').matchAll(/^\| `([^`]+)`/gm)].map(match => match[1])
lemmata('verify', ...figures, '--cell', 'f1eb4d760740f07e', '--out', join(pages, 'papers', 'plots'))
const plots = readdirSync(join(pages, 'papers', 'plots')).filter(name => name.endsWith('.svg'))

/** A section of docs/figures.md, with the plots of its claims below the heading. */
const withPlots = section => {
  const images = [...section.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, claim]) => plots
    .filter(name => name.replace(/-\d+\.svg$/, '') === claim)
    .map(name => `![Plot for ${claim}](plots/${name})`))
  return section.replace(/^## .*\n/, heading => `#${heading}\n${images.join('\n')}\n`)
}

for (const [paper, name] of Object.entries(papers)) {
  const verdicts = sections(read('docs/verdicts.md'), heading => heading === '## `' + paper + '`')
  const trained = sections(read('docs/figures.md'), heading => heading.startsWith('## `' + paper))
  const [errata] = sections(read('docs/errata.md'), heading => heading.startsWith('## ' + name))
  // The section begins with its findings, up to the first table or heading.
  const [, findings, differences] = errata.match(/^## .*\n([^]*?)^((?:\||###)[^]*)/m)
  write(`papers/${paper}.md`, [
    '---\npageClass: paper\n---', `# ${name}`, '## What we found', findings, '## How the claims test the paper', tour(paper),
    '## Verdicts', ...verdicts.map(section => section.replace(/^## .*\n/, '')),
    '## Where the paper and this code differ', differences,
    '## Figures of trained models',
    'The plots show our models with 95% intervals over seeds. If the points of the paper\'s own curves can be read from its figures, they are lines whose names begin with *authors*.',
    ...trained.map(withPlots),
  ].map(text => linked(text.replace(/\]\((?=[a-z-]+\.(md|svg|png))/g, '](../'), 'papers/x.md')).join('\n\n'))
}

// What the program says of itself.
const commands = [...lemmata('help').matchAll(/^ {2}([a-z][a-z-]*) {2,}/gm)].map(match => match[1])
write('reference/commands.md', '# Command line\n\n' + block(lemmata('help')) + commands
  .filter(command => command !== 'help')
  .map(command => `\n## ${command}\n\n` + block(lemmata('help', command))).join(''))
write('reference/tasks.md', '# Tasks\n\n' + block(lemmata('tasks')))
write('reference/constructions.md', '# Constructions\n\n' + block(lemmata('constructions')))
write('reference/formats.md', '# Number formats\n\n' + block(lemmata('round', '--formats')))
