// Draws the heatmaps from the JSON in the element "data". Nothing is loaded from anywhere.
(function () {
  'use strict';

  const MOST_ROWS = 256; // of a heatmap: neighbouring ranges beyond that are drawn as one
  const { number, percent, sum, element, escaped, shortKey, chart, heat } = charts;
  const report = JSON.parse(document.getElementById('data').textContent);
  document.getElementById('keys').textContent = report.table;

  // Rows of the heatmap: one range of keys each, or several where there are too many to draw.
  const ranges = report.ranges;
  const rows = [];
  const count = Math.min(ranges.length, MOST_ROWS);
  for (let i = 0; i < count; i++) {
    const from = Math.floor((i * ranges.length) / count);
    const to = Math.floor(((i + 1) * ranges.length) / count) - 1;
    const start = ranges[from].start || '(start)';
    const closed = ranges.slice(from, to + 1).some((range) => range.open === false);
    const words = ranges[from].words === ranges[from].start ? '' : ranges[from].words;
    const verdicts = ranges.slice(from, to + 1).map((range) => range.load && range.load.verdict)
      .filter((verdict) => verdict && verdict !== 'even' && verdict !== 'little');
    rows.push({
      from,
      to,
      label: (words ? shortKey(words) : shortKey(start)) + [...new Set(verdicts)].map((v) => ' * ' + v).join(''),
      hot: from === to && ranges[from].load ? ranges[from].load.groups : [],
      name: start + ' .. ' + (ranges[to].end || '(end)') + (closed ? ', not open at the end' : ''),
      words,
    });
  }

  const times = report.columns.map((column) => column.to.slice(11, 19));

  function hotKey(key) {
    return key.words + ': ' + percent(key.share);
  }

  // One line for each region whose servers have counted enough to judge.
  function verdicts(parent) {
    const judged = new Map();
    for (const range of ranges) {
      if (range.load && range.load.verdict !== 'little' && !judged.has(range.load.region)) {
        judged.set(range.load.region, range);
      }
    }
    if (judged.size === 0) {
      return;
    }
    element(parent, 'h3', 'Verdicts and hottest groups at the end');
    const table = element(parent, 'table');
    for (const range of judged.values()) {
      const row = element(table, 'tr');
      element(row, 'td', range.words || range.start || '(start)');
      element(row, 'td', range.load.verdict);
      element(row, 'td', range.load.advice);
      element(row, 'td', range.load.groups.map(hotKey).join(', '));
    }
  }

  function heatmap(parent, title, what, shown) {
    const cells = [];
    let most = 1;
    report.columns.forEach((column, time) => {
      rows.forEach((row, y) => {
        const value = sum(column[what].slice(row.from, row.to + 1));
        most = Math.max(most, value);
        cells.push([time, y, value]);
      });
    });
    chart(parent, title, Math.max(220, Math.min(640, 130 + 22 * rows.length)), {
      grid: { left: 8, right: 8, top: 10, bottom: 84, containLabel: true },
      tooltip: {
        formatter: (cell) => {
          const row = rows[cell.value[1]];
          const column = report.columns[cell.value[0]];
          return escaped(row.name) + (row.words ? '<br>' + escaped(row.words) : '') + '<br>' +
            column.from.slice(11, 19) + ' to ' + column.to.slice(11, 19) + ': ' +
            shown(cell.value[2]) +
            row.hot.map((key) => '<br>' + escaped(hotKey(key))).join('');
        },
      },
      xAxis: { type: 'category', name: 'time (UTC)', nameLocation: 'middle', nameGap: 28, data: times },
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows.map((row) => row.label),
        axisLabel: { fontFamily: 'monospace', fontSize: 10 },
      },
      visualMap: {
        min: 0,
        max: most,
        formatter: (value) => shown(value),
        calculable: true,
        orient: 'horizontal',
        left: 'center',
        bottom: 0,
        itemHeight: 160,
        inRange: { color: heat },
      },
      series: [{ type: 'heatmap', data: cells, progressive: 0 }],
    });
  }

  function figures(parent) {
    const table = element(parent, 'table');
    const line = (name, value) => {
      const row = element(table, 'tr');
      element(row, 'td', name);
      element(row, 'td', value);
    };
    line('readings', number(report.readings));
    line('seconds', number(Math.round(report.seconds)));
    for (const what of ['writes', 'reads']) {
      line(what, number(report[what].total));
      line('hottest range, share of the ' + what, percent(report[what].hottestShare));
      line('Gini coefficient of the ' + what, report[what].gini.toFixed(3));
    }
    line('regions moved, opened, gone', report.moved + ', ' + report.opened + ', ' + report.gone);
    line('counts not known', number(report.unknown));
  }

  const box = element(document.getElementById('designs'), 'section');
  if (report.layout) {
    element(element(box, 'p'), 'code', report.layout);
  }
  report.silent.forEach((why) => element(box, 'p', 'Did not answer: ' + why, 'bad'));
  figures(box);
  heatmap(box, 'Writes: time across, keys down', 'writes', (n) => number(Math.round(n)) + ' writes');
  heatmap(box, 'Reads: time across, keys down', 'reads', (n) => number(Math.round(n)) + ' reads');
  verdicts(box);
  heatmap(box, 'Size: time across, keys down', 'bytes', (n) => (n / 1e6).toFixed(1) + ' MB');
})();
