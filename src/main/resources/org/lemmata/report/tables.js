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
