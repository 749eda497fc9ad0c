// What all reports draw with. Nothing is loaded from anywhere.
const charts = (function () {
  'use strict';

  const number = (n) => n.toLocaleString('en-US');
  const percent = (share) => (100 * share).toFixed(1) + ' %';
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  function element(parent, tag, text, className) {
    const child = document.createElement(tag);
    if (text !== undefined) child.textContent = text;
    if (className) child.className = className;
    parent.appendChild(child);
    return child;
  }

  // Tooltips are HTML, and a key may hold anything.
  const escaped = (text) => echarts.format.encodeHTML(text);

  // The middle of a long key is left out: neighbours often differ only at their ends.
  const shortKey = (key) => (key.length <= 20 ? key : key.slice(0, 8) + '\u2026' + key.slice(-10));

  function chart(parent, title, height, option) {
    element(parent, 'h3', title);
    const box = element(parent, 'div', undefined, 'chart');
    box.style.height = height + 'px';
    const drawn = echarts.init(box, null, { renderer: 'canvas' });
    drawn.setOption(Object.assign({ animation: false, aria: { enabled: true } }, option));
    window.addEventListener('resize', () => drawn.resize());
  }

  // From nothing to most, as Bigtable's Key Visualizer has it: dark to bright.
  const heat = ['#0b1030', '#3b1d6e', '#8c2981', '#de4968', '#fe9f6d', '#fcfdbf'];

  return { number, percent, sum, element, escaped, shortKey, chart, heat };
})();
