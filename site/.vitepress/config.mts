import {defineConfig} from 'vitepress'

const entry = (text: string, link: string) => ({text, link})

export default defineConfig({
  title: 'Lemmata',
  description: 'Tests theorems about transformers on a CPU, and detects whether a JMH benchmark became slower.',
  srcDir: 'pages',
  outDir: 'dist',
  base: process.env.LEMMATA_BASE ?? '/',
  cleanUrls: false,
  // Markdown of docs is plain: angle brackets and double braces in it are text.
  markdown: {
    html: false,
    // Anchors are GitHub's, with which docs link to their headings.
    anchor: {slugify: text => text.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')},
    config: md => md.core.ruler.push('braces', state => state.tokens.forEach(token => {
      if (token.type === 'inline') token.attrSet('v-pre', '')
    })),
  },
  themeConfig: {
    search: {provider: 'local'},
    outline: [2, 3],
    nav: [entry('Guide', '/guide'), entry('Papers', '/papers/depth'), entry('Reference', '/reference/commands')],
    sidebar: [
      {text: 'Start', items: [entry('Lemmata', '/'), entry('Install', '/install'), entry('Guide', '/guide'), entry('Tutorial: break a theorem', '/tutorial-theorem'), entry('Tutorial: catch a regression', '/tutorial-regression')]},
      {
        text: 'How-to',
        items: [
          entry('Compare two versions of a benchmark', '/own-benchmarks'),
          entry('Watch benchmarks in CI', '/continuous-integration'),
          entry('Train a model', '/training'),
          entry('Sweep a grid, here or on a cluster', '/sweeps'),
          entry('Round to a number format', '/precision'),
          entry('Write and read data sets', '/data-sets'),
          entry('Extend Lemmata', '/extending'),
        ],
      },
      {text: 'Concepts', items: [entry('How a regression is judged', '/regression'), entry('Glossary', '/glossary')]},
      {
        text: 'Papers',
        items: [
          entry('Richard', '/papers/depth'),
          entry('Boix-Adsera et al.', '/papers/symbol'),
          entry('Izzo, Nichani and Lee', '/papers/length'),
          entry('Hayakawa and Sato', '/papers/hierarchy'),
          entry('Kim and Suzuki', '/papers/parity'),
          entry('Findings and errata', '/errata'),
        ],
      },
      {
        text: 'Studies',
        items: [
          entry('Bits a Dyck recognizer needs', '/finite-precision-law'),
          entry('Limit transformers', '/limit-transformers'),
          entry('Length generalization', '/length-generalization'),
          entry('Boolean expressions', '/boolean-expressions'),
        ],
      },
      {
        text: 'Reference',
        items: [
          entry('Command line', '/reference/commands'),
          entry('Configuration keys', '/notes/training-keys'),
          entry('Number formats', '/reference/formats'),
          entry('Tasks', '/reference/tasks'),
          entry('Constructions', '/reference/constructions'),
        ],
      },
      {text: 'Results', items: [entry('Performance', '/performance'), entry('Core-hours of sweeps', '/sweeps/')]},
    ],
  },
})
