// Values of plots: on the pointer and, with the arrow keys, on the keyboard. Without scripts a mark's title shows them.
const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;
tip.setAttribute('role', 'status');
document.body.append(tip);
let current = null;

const show = target => {
  if (current) current.classList.remove('current');
  current = target;
  target.classList.add('current');
  tip.textContent = target.dataset.reading;
  tip.hidden = false;
  const mark = target.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const left = Math.min(Math.max(mark.left + mark.width / 2 - tip.offsetWidth / 2, 8), width - tip.offsetWidth - 8);
  const above = mark.top - tip.offsetHeight - 6;
  tip.style.left = `${left + window.scrollX}px`;
  tip.style.top = `${(above > 4 ? above : mark.bottom + 6) + window.scrollY}px`;
};
const hide = () => {
  if (current) current.classList.remove('current');
  current = null;
  tip.hidden = true;
};

for (const plot of document.querySelectorAll('.plot, .matrix')) {
  const targets = [...plot.querySelectorAll('.targets circle, .cell')];
  if (targets.length === 0) continue;
  for (const target of targets) {
    const title = target.querySelector('title');
    const statement = target.hash && document.getElementById(target.hash.slice(1))?.querySelector('.statement');
    target.dataset.reading = title?.textContent ?? `${target.textContent.slice(1)}\n${statement?.textContent}`;
    title?.remove();
    if (statement) target.tabIndex = -1;
    target.addEventListener('pointerenter', () => show(target));
    target.addEventListener('pointerleave', hide);
  }
  plot.tabIndex = 0;
  if (plot.matches('.plot')) plot.setAttribute('role', 'group');
  plot.setAttribute('aria-label', plot.matches('.plot') ? 'Values of the plot: the arrow keys go through them'
    : 'Verdicts of the statements: the arrow keys go through them, Enter shows one');
  plot.addEventListener('keydown', event => {
    const at = targets.indexOf(current);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      show(targets[at < 0 ? (step > 0 ? 0 : targets.length - 1) : (at + step + targets.length) % targets.length]);
    } else if (event.key === 'Home' || event.key === 'End') {
      show(targets[event.key === 'Home' ? 0 : targets.length - 1]);
    } else if (event.key === 'Escape') {
      hide();
    } else if (event.key === 'Enter' && current?.matches('a')) {
      current.click();
    } else {
      return;
    }
    event.preventDefault();
  });
  plot.addEventListener('blur', hide);
}
