// What BrowserTest asks of the page; each check gives the list of what is wrong.
const lemmataChecks = (() => {
  const visible = element => element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
  const name = element => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.ariaLabel ?? element.textContent).trim().slice(0, 60)}"`;
  const parse = colour => {
    const parts = colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  };
  const luminance = rgb => {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const { rgb, alpha } = parse(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const openAll = () => document.querySelectorAll('details').forEach(each => { each.open = true; });

  return {
    name,
    openAll,
    focusable: () => [...document.querySelectorAll('a[href], summary, button, input, [tabindex="0"]')].filter(each => each.tabIndex >= 0 && visible(each)),
    lowContrast: () => {
      openAll();
      const wrong = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let seen = 0;
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || !visible(element) || element.closest('title, script')) continue;
        const style = getComputedStyle(element);
        const ink = parse(element.closest('svg') ? style.fill : style.color).rgb;
        const ratio = contrast(ink, ground(element));
        seen += 1;
        if (ratio < 4.5) wrong.push(`${ratio.toFixed(2)} ${name(element)}`);
      }
      for (const mark of document.querySelectorAll('.plot [style*="--series-"]')) {
        if (!visible(mark)) continue;
        const style = getComputedStyle(mark);
        const ink = parse(style.stroke === 'none' ? style.fill : style.stroke).rgb;
        const ratio = contrast(ink, ground(mark));
        seen += 1;
        if (ratio < 3) wrong.push(`${ratio.toFixed(2)} mark ${mark.getAttribute('style')}`);
      }
      if (seen < 500) wrong.push(`only ${seen} texts and marks seen`);
      return [...new Set(wrong)];
    },
    misplacedPlots: () => {
      openAll();
      const wrong = [];
      const width = document.documentElement.clientWidth;
      if (document.scrollingElement.scrollWidth > width) wrong.push(`the page scrolls: ${document.scrollingElement.scrollWidth} > ${width}`);
      for (const panel of document.querySelectorAll('.panel, figure:not(.pair), .peer')) {
        const shown = [...panel.querySelectorAll('.plot')].filter(visible);
        if (shown.length !== 1) { wrong.push(`${shown.length} plots shown: ${name(panel)}`); continue; }
        const svg = shown[0].querySelector('svg');
        const box = panel.getBoundingClientRect();
        const plot = svg.getBoundingClientRect();
        if (plot.width < 200 || plot.height < 80) wrong.push(`${plot.width} x ${plot.height}: ${name(panel)}`);
        if (plot.left < box.left - 1 || plot.right > box.right + 1 || plot.top < box.top - 1 || plot.bottom > box.bottom + 1) wrong.push(`out of its panel: ${name(panel)}`);
        if (plot.left < 0 || plot.right > width + 0.5) wrong.push(`out of the page: ${name(panel)}`);
        for (const part of svg.querySelectorAll('text, circle, path[style], line[style], rect[style]')) {
          const at = part.getBoundingClientRect();
          if (at.left < plot.left - 2 || at.right > plot.right + 2 || at.top < plot.top - 2 || at.bottom > plot.bottom + 2) {
            wrong.push(`${part.tagName} "${part.textContent.trim()}" at ${at.left - plot.left}..${at.right - plot.left} of ${plot.width}: ${svg.ariaLabel.slice(0, 60)}`);
          }
        }
      }
      return wrong;
    },
    clippedInPrint: () => {
      const wrong = [];
      const width = document.documentElement.clientWidth;
      if (document.scrollingElement.scrollWidth > width) wrong.push(`wider than paper: ${document.scrollingElement.scrollWidth} > ${width}`);
      for (const details of document.querySelectorAll('details')) {
        for (const child of details.children) {
          if (child.tagName === 'SUMMARY' || child.matches('.download, .tools')) continue;
          if (!visible(child) || child.getBoundingClientRect().height === 0) wrong.push(`folded: ${name(child)}`);
        }
      }
      for (const element of document.body.querySelectorAll('*')) {
        if (element.closest('svg') || !visible(element)) continue;
        const style = getComputedStyle(element);
        if (style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) wrong.push(`clipped across: ${name(element)}`);
        if (style.overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1) wrong.push(`clipped below: ${name(element)}`);
        const box = element.getBoundingClientRect();
        if (box.width > 0 && box.right > width + 1 && !element.matches('.skip')) wrong.push(`beyond the paper, ${box.right}: ${name(element)}`);
      }
      return wrong;
    },
  };
})();
