// Sorting and filtering: without scripts a table stands in the order of the run, and no button shows.
for (const table of document.querySelectorAll('table[data-sortable]')) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const status = document.querySelector(`[data-count="${table.id}"]`);
  const say = text => { if (status) status.textContent = text; };

  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const numeric = head.hasAttribute('data-number');
    const button = document.createElement('button');
    const name = head.textContent;
    button.type = 'button';
    button.textContent = name;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      // Of figures, the largest are looked for first.
      const first = numeric ? 'descending' : 'ascending';
      const other = numeric ? 'ascending' : 'descending';
      const direction = head.getAttribute('aria-sort') === first ? other : first;
      for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', direction);
      const sign = direction === 'ascending' ? 1 : -1;
      const key = row => {
        const cell = row.cells[column];
        return numeric ? Number.parseFloat(cell.dataset.value) : cell.textContent;
      };
      const compare = (a, b) => {
        const x = key(a);
        const y = key(b);
        if (!numeric) return sign * x.localeCompare(y, 'en', { numeric: true });
        // Rows without a figure stay at the end.
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return sign * (x - y);
      };
      body.append(...rows.toSorted(compare));
      say(`Sorted by ${name}, ${direction}.`);
    });
  });

  const filter = document.querySelector(`[data-filter="${table.id}"]`);
  if (filter) {
    filter.closest('.tools').hidden = false;
    filter.addEventListener('input', () => {
      const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      say(`${shown} of ${rows.length} rows`);
    });
  }
}
// The numbers of a plot as a file, made when they are opened: "6 × 10⁻⁹ [1, 3]" is 6e-9,1,3.
const plain = text => text.replace(/[\u202f\u00a0]/g, '').replace(/\u2212/g, '-')
  .replace(/ ?× 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, power) => 'e' + [...power].map(c => c === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c)).join(''));
const parts = text => plain(text).match(/^(\S+) \[(\S+), (\S+)\]$/)?.slice(1) ?? [plain(text)];
const csv = table => {
  const rows = [...table.rows].map(row => [...row.cells].map(cell => parts(cell.textContent)));
  const wide = rows[0].map((_, column) => rows.some(row => row[column].length === 3));
  return rows.map((row, r) => row.flatMap((cell, column) => {
    if (!wide[column] || cell.length === 3) return cell;
    return r === 0 ? [cell[0], `${cell[0]}, low`, `${cell[0]}, high`] : [cell[0], cell[0], cell[0]];
  }).map(field => /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field).join(',')).join('\r\n');
};
for (const details of document.querySelectorAll('details.data')) {
  details.addEventListener('toggle', () => {
    const link = document.createElement('a');
    link.download = 'numbers.csv';
    link.href = 'data:text/csv;charset=utf-8,' + encodeURIComponent(csv(details.querySelector('table')));
    link.textContent = 'Download as CSV';
    const line = document.createElement('p');
    line.className = 'download';
    line.append(link);
    details.append(line);
  }, { once: true });
}
