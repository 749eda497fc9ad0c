// Draws the report from the JSON in the element "data". Nothing is loaded from anywhere.
(function () {
  'use strict';

  const MOST_ROWS = 256; // of a heatmap: neighbouring regions beyond that are drawn as one
  const { number, percent, sum, element, escaped, shortKey, chart } = charts;
  const report = JSON.parse(document.getElementById('data').textContent);
  document.getElementById('keys').textContent = report.keys;

  function rangeName(design, from, to) {
    const start = design.regions[from].start || '(start)';
    const end = design.regions[to].end || '(end)';
    return start + ' .. ' + end;
  }

  // Ranges of keys: one region each, or several where there are too many to draw.
  function keyRanges(design) {
    const regions = design.regions.length;
    const rows = Math.min(regions, MOST_ROWS);
    const ranges = [];
    for (let i = 0; i < rows; i++) {
      const from = Math.floor((i * regions) / rows);
      const to = Math.floor(((i + 1) * regions) / rows) - 1;
      const label = from + '  ' + (shortKey(design.regions[from].start) || '(start)');
      ranges.push({ from, to, label, name: rangeName(design, from, to) });
    }
    return ranges;
  }

  function rowsIn(design, range) {
    return sum(design.regions.slice(range.from, range.to + 1).map((region) => region.rows));
  }

  // Two designs have one scale: what is brighter got more, also in the other picture.
  const mostWrites = Math.max(1, ...report.designs.map((design) => {
    const ranges = keyRanges(design);
    return Math.max(0, ...design.timeline.writes.map((slot) =>
      Math.max(...ranges.map((range) => sum(slot.slice(range.from, range.to + 1))))));
  }));

  const mostRows = Math.max(1, ...report.designs.map((design) =>
    Math.max(...keyRanges(design).map((range) => rowsIn(design, range)))));

  const timeAxis = (design) => ({
    type: 'category',
    name: 'keys written',
    nameLocation: 'middle',
    nameGap: 28,
    data: design.timeline.writes.map((slot, i) =>
      number(Math.min((i + 1) * design.timeline.keysPerSlot, design.rows + design.keysRefused))),
  });

  function heatmap(parent, design) {
    const ranges = keyRanges(design);
    const cells = [];
    design.timeline.writes.forEach((slot, time) => {
      ranges.forEach((range, row) => {
        const writes = sum(slot.slice(range.from, range.to + 1));
        cells.push([time, row, writes]);
      });
    });
    chart(parent, 'Writes: time across, keys down', 420, {
      grid: { left: 8, right: 28, top: 10, bottom: 84, containLabel: true }, // half a label fits
      tooltip: {
        formatter: (cell) =>
          escaped(ranges[cell.value[1]].name) + '<br>' + number(cell.value[2]) + ' writes',
      },
      xAxis: timeAxis(design),
      yAxis: {
        type: 'category',
        inverse: true,
        data: ranges.map((range) => range.label),
        axisLabel: { fontFamily: 'monospace', fontSize: 10 },
      },
      visualMap: {
        min: 0,
        max: mostWrites,
        calculable: true,
        orient: 'horizontal',
        left: 'center',
        bottom: 0,
        itemHeight: 160,
        inRange: { color: charts.heat },
      },
      series: [{ type: 'heatmap', data: cells, progressive: 0 }],
    });
  }

  function sizes(parent, design) {
    const ranges = keyRanges(design);
    const rows = ranges.map((range) => rowsIn(design, range));
    const isReachable = (range) =>
      design.regions.slice(range.from, range.to + 1).some((region) => region.reachable);
    chart(parent, 'Rows per region in the end', 260, {
      grid: { left: 8, right: 8, top: 10, bottom: 30, containLabel: true },
      tooltip: {
        formatter: (bar) =>
          escaped(ranges[bar.dataIndex].name) + '<br>' + number(bar.value) + ' rows, ' +
          percent(design.rows ? bar.value / design.rows : 0) +
          (isReachable(ranges[bar.dataIndex]) ? '' : '<br>no row can fall into it'),
      },
      xAxis: {
        type: 'category',
        name: 'region',
        nameLocation: 'middle',
        nameGap: 24,
        data: ranges.map((range) => String(range.from)),
      },
      yAxis: { type: 'value', max: mostRows },
      series: [{ type: 'bar', data: rows, itemStyle: { color: '#3b6ea5' }, barCategoryGap: '15%' }],
    });
  }

  // A line of shares over time, with a mark where all would be even.
  function shares(parent, design, title, data, even, tooltip) {
    chart(parent, title, 220, {
      grid: { left: 8, right: 60, top: 10, bottom: 44, containLabel: true },
      tooltip: { trigger: 'axis', formatter: (points) => tooltip(points[0].dataIndex) },
      xAxis: timeAxis(design),
      yAxis: { type: 'value', min: 0, max: 1, axisLabel: { formatter: (share) => 100 * share + ' %' } },
      series: [{
        type: 'line',
        step: 'middle',
        symbol: 'none',
        data,
        lineStyle: { color: '#b3261e' },
        markLine: even === null ? undefined : {
          symbol: 'none',
          silent: true,
          label: { formatter: 'even' },
          lineStyle: { color: '#1b6e3c' },
          data: [{ yAxis: even }],
        },
      }],
    });
  }

  function hottest(parent, design) {
    const title = 'Share of the writes that the hottest region takes';
    const growth = design.growth;
    if (growth) {
      // The regions of the moment; how many there were is another chart.
      shares(parent, design, title, growth.hottestRegionShare, null,
        (slot) => percent(growth.hottestRegionShare[slot]));
      shares(parent, design, 'Share of the writes that the hottest server takes',
        growth.hottestServerShare, 1 / growth.servers,
        (slot) => 'server ' + growth.hottestServer[slot] + ': ' +
          percent(growth.hottestServerShare[slot]));
      return;
    }
    const data = design.timeline.writes.map((slot) => {
      const total = sum(slot);
      return total === 0 ? 0 : Math.max(...slot) / total;
    });
    shares(parent, design, title, data, 1 / design.regions.length, (slot) => {
      const writes = design.timeline.writes[slot];
      return 'region ' + writes.indexOf(Math.max(...writes)) + ': ' + percent(data[slot]);
    });
  }

  function regionsOverTime(parent, design) {
    const counts = design.growth.regionsOverTime;
    chart(parent, 'Regions over time', 220, {
      grid: { left: 8, right: 60, top: 10, bottom: 44, containLabel: true },
      tooltip: { trigger: 'axis', formatter: (points) => number(points[0].value) + ' regions' },
      xAxis: timeAxis(design),
      yAxis: { type: 'value', min: 0, minInterval: 1 },
      series: [{
        type: 'line',
        step: 'end',
        symbol: 'none',
        data: counts,
        lineStyle: { color: '#3b6ea5' },
        areaStyle: { color: '#3b6ea5', opacity: 0.2 },
      }],
    });
  }

  function figures(parent, design) {
    const table = element(parent, 'table');
    const row = (name, value) => {
      const line = element(table, 'tr');
      element(line, 'td', name);
      element(line, 'td', value);
    };
    row('hottest region at a time', percent(design.meanHottestShare));
    row('Gini coefficient', design.gini.toFixed(3));
    row('rows', number(design.rows));
    row('bytes', number(design.bytes));
    row('bare keys completed', number(design.bareKeysCompleted));
    row('keys refused', number(design.keysRefused));
    row('unreachable regions', number(design.unreachableRegions));
    row('regions of one group', number(design.regionsOfOneGroup));
    const growth = design.growth;
    if (growth) {
      row('hottest server at a time', percent(growth.meanHottestServerShare));
      row('stuck regions', number(growth.stuckRegions));
      row('splits', number(growth.splitTimes.length));
      row('splits refused', number(growth.splitsRefused));
      row('flushes', number(growth.flushes));
      row('flushes that waited', number(growth.flushesThatWaited));
      row('compactions', number(growth.compactions));
      row('write amplification', growth.writeAmplification.toFixed(1));
      row('regions moved', number(growth.regionsMoved));
    }
  }

  const designs = document.getElementById('designs');
  report.designs.forEach((design, i) => {
    const box = element(designs, 'section');
    element(box, 'h2', report.designs.length === 1 ? 'The design' : 'Design ' + 'AB'[i]);
    element(element(box, 'p'), 'code', design.layout);
    const group = design.group ? ', group ' + design.group : '';
    const growth = design.growth;
    element(box, 'p', growth
      ? number(growth.regionsAtFirst) + (growth.regionsAtFirst === 1 ? ' region' : ' regions') +
        ' at first, ' + number(design.regions.length) +
        ' in the end' + group
      : number(design.regions.length) + ' regions, ' + design.splitBy + group);
    if (growth) element(box, 'p', growth.settings);
    element(box, 'p', design.hotspot ? 'Hotspot' : 'No hotspot', design.hotspot ? 'bad' : 'good');
    figures(box, design);
    heatmap(box, design);
    sizes(box, design);
    hottest(box, design);
    if (growth) regionsOverTime(box, design);
  });
})();
