// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/keys/spread_controller.h"

#include "models/filter/filter_edit.h"
#include "models/filter/filter_lexer.h"
#include "models/format/display_text.h"
#include "models/format/quantities.h"
#include "models/keys/key_browser.h"
#include "models/triage/frozen_set.h"
#include "sql/keys/spread_reader.h"
#include "sql/lanes/database.h"
#include "sql/types/tr.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

using namespace Qt::StringLiterals;

namespace idemdesk::models {

namespace {

constexpr int kSpreadDeadlineMs = 4'000; // it stands beside the list, which does not wait for it
constexpr qint64 kLeastSpreadPause = 20; ///< of a list that refreshes by itself, in times of how long it took
constexpr qint64 kSpreadBesideMicros = 1'000'000; ///< read within this time of the list, it is of the same rows
constexpr qsizetype kSpreadScopeChars = 120;

/// As a person types the ages of sql::kSpreadAges.
constexpr std::array<const char16_t *, sql::kSpreadAges.size()> kSpreadAgeTexts { u"1h", u"6h", u"1d", u"7d", u"30d" };

qint64 wholeRows(double rows)
{
    return qint64(std::llround(rows));
}

/// "15 keys, 2 stuck, 1 failed".
QString spreadRowsText(const sql::SpreadCount &count, bool exact)
{
    if (!exact && wholeRows(count.rows) == 0) {
        return Tr::tr("none in the sample; there may be some");
    }
    const QString keys = Tr::tr("%n key(s)", nullptr, int(std::min<qint64>(wholeRows(count.rows), INT_MAX)));
    QStringList parts { exact ? keys : Tr::tr("about %1 keys").arg(shortCountText(count.rows)) };
    if (wholeRows(count.stuck) > 0) {
        parts += Tr::tr("%1 stuck").arg(exact ? countText(wholeRows(count.stuck)) : shortCountText(count.stuck));
    }
    if (wholeRows(count.failed) > 0) {
        parts += Tr::tr("%1 failed").arg(exact ? countText(wholeRows(count.failed)) : shortCountText(count.failed));
    }
    return parts.join(u", "_s);
}

} // namespace

KeySpreadController::KeySpreadController(KeyBrowserController *browser, QObject *parent)
    : QObject(parent)
    , m_browser(browser)
{
    connect(browser, &KeyBrowserController::targetChanged, this, [this] {
        m_reading.setDatabase(m_browser->database());
        forget();
    });
    connect(browser, &KeyBrowserController::statusChanged, this, &KeySpreadController::onStatus);
    connect(browser->model(), &KeyTableModel::pageLoaded, this, &KeySpreadController::onPage);
    connect(&m_reading, &Request::changed, this, &KeySpreadController::onReading);
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &KeySpreadController::onPage);
}

KeySpreadController::~KeySpreadController() = default;

void KeySpreadController::setWanted(bool wanted)
{
    if (m_wanted == wanted) {
        return;
    }
    m_wanted = wanted;
    if (!wanted) {
        m_reading.drop();
        m_again.stop();
        m_asked = m_spread ? m_asked : std::nullopt;
        emit changed();
    } else if (m_browser->model()->serverNow()) { // its first page is there
        onPage();
    }
}

void KeySpreadController::refresh()
{
    if (m_wanted && m_asked) {
        ask();
    }
}

/// The list has another filter: what is counted or drawn is of the one before.
void KeySpreadController::onStatus()
{
    if (m_asked && *m_asked != m_browser->filter()) {
        forget();
    } else if (m_wanted && !m_reading.busy() && differs()) {
        const qint64 listed = m_browser->model()->count().rows;
        if (std::exchange(m_differed, listed) != listed) { // a row came between the two readings
            onPage();
            emit changed();
        }
    }
}

void KeySpreadController::onPage()
{
    if (!m_wanted || !m_browser->hasTarget()) {
        return;
    }
    const bool same = m_asked && *m_asked == m_browser->filter();
    if (same && (m_reading.busy() || (m_spread && !behind() && !differs()))) {
        return; // an answer looks itself whether the list went on; a page further down is of the same time
    }
    const qint64 pause = std::max(m_leastPauseMs, kLeastSpreadPause * m_tookMs);
    const qint64 left = same && m_since.isValid() ? pause - m_since.elapsed() : 0;
    if (left <= 0) {
        ask();
    } else {
        const bool known = m_again.isActive();
        m_again.start(int(left));
        if (!known) {
            emit changed(); // it says now of when it is
        }
    }
}

void KeySpreadController::setLeastPause(int milliseconds)
{
    m_leastPauseMs = milliseconds;
    if (m_again.isActive()) {
        onPage();
    }
}

void KeySpreadController::onReading()
{
    emit changed();
    if (m_spread && !m_reading.busy() && behind()) {
        onPage();
    }
}

bool KeySpreadController::behind() const
{
    const auto listed = m_browser->model()->serverNow();
    return m_spread && listed && listed->micros > m_spread->now.micros + kSpreadBesideMicros;
}

bool KeySpreadController::differs() const
{
    const sql::RowCount listed = m_browser->model()->count();
    return m_spread && m_spread->exact() && m_asked && *m_asked == m_browser->filter()
        && listed.kind == sql::RowCount::Kind::Exact && listed.rows != m_spread->looked;
}

void KeySpreadController::ask()
{
    m_again.stop();
    m_asked = m_browser->filter();
    m_reading.setDatabase(m_browser->database());
    m_since.start();
    m_reading.ask(
        { sql::LaneKind::Background, kSpreadDeadlineMs },
        [target = m_browser->target(), filter = *m_asked](
            sql::Session &session) { return sql::readSpread(session, target, filter); },
        [this](const sql::Result<sql::KeySpread> &result) {
            m_tookMs = m_since.elapsed();
            m_spread = result ? std::optional(*result) : std::nullopt; // an older picture would pass for this one
        });
}

void KeySpreadController::forget()
{
    m_reading.drop();
    m_again.stop();
    m_reading.clearError();
    m_spread.reset();
    m_asked.reset();
    m_since.invalidate();
    emit changed();
}

QString KeySpreadController::noteText() const
{
    if (m_reading.error() && !m_reading.busy()) {
        const sql::Error &error = *m_reading.error();
        const QString why = error.kind == sql::ErrorKind::Timeout
            ? tr("it took longer than %1.").arg(tookText(kSpreadDeadlineMs * 1'000))
            : error.line();
        return tr("Not counted: %1").arg(displayText(why, 300));
    }
    if (!m_spread) {
        return m_reading.busy() ? tr("Counting rows…") : QString();
    }
    QStringList parts;
    if (m_spread->exact()) {
        parts += tr("%n key(s)", nullptr, int(m_spread->looked));
    } else { // how many there are says the list
        parts += tr("Start times, estimated from %1 keys").arg(countText(m_spread->looked));
    }
    if (m_spread->undated >= 1) {
        parts += tr("%1 of them without a time").arg(shortCountText(m_spread->undated));
    }
    if (!m_spread->stuckKnown) {
        parts += tr("Stuck keys cannot be told here");
    }
    for (const QString &note : m_spread->notes) {
        parts += displayText(note, 300);
    }
    if (behind()) {
        parts += tr("as of %1, older than the list").arg(m_browser->model()->timeFormat().text(m_spread->now));
    } else if (differs()) { // two numbers of rows on one page: each says when
        parts += tr("as of %1").arg(m_browser->model()->timeFormat().text(m_spread->now));
    }
    return parts.join(u" · "_s);
}

QString KeySpreadController::bucketText(int first, int last) const
{
    if (!told() || first < 0 || last >= m_spread->buckets.size() || first > last) {
        return {};
    }
    sql::SpreadCount sum;
    for (int i = first; i <= last; ++i) {
        sum.rows += m_spread->buckets.at(i).rows;
        sum.failed += m_spread->buckets.at(i).failed;
        sum.stuck += m_spread->buckets.at(i).stuck;
    }
    const qint64 length = m_spread->bucketSeconds * sql::kMicros;
    const auto at = [&](int bucket) {
        return m_browser->model()->timeFormat().text(
            { sql::Timestamp::Kind::Finite, m_spread->since.micros + bucket * length });
    };
    return tr("%1 to %2: %3", "two times, and what lies between them")
        .arg(at(first), at(last + 1), spreadRowsText(sum, m_spread->exact()));
}

QString KeySpreadController::cellText(int scope, int age) const
{
    if (!m_spread || scope < 0 || scope >= m_spread->scopes.size() || age < 0 || age > int(sql::kSpreadAges.size())) {
        return {};
    }
    return tr("%1, age %2: %3", "scope, age, rows")
        .arg(scopeName(scope), ageTitle(age),
            spreadRowsText(m_spread->scopes.at(scope).ages.at(std::size_t(age)), m_spread->exactAt(age)));
}

QString KeySpreadController::scopeName(int scope) const
{
    const sql::SpreadScope &line = m_spread->scopes.at(scope);
    return line.other          ? tr("Other scopes")
        : line.scope.isEmpty() ? tr("All keys")
                               : displayText(scopeText(line.scope), kSpreadScopeChars);
}

QString KeySpreadController::ageTitle(int age)
{
    const QStringList titles { tr("< 1 h"), tr("1–6 h"), tr("6–24 h"), tr("1–7 d"), tr("7–30 d"), tr("> 30 d") };
    return titles.value(age);
}

/// As the filter language names the time that the spread goes by.
QString KeySpreadController::timeField() const
{
    const auto by = m_browser->hasTarget() ? sql::spreadTime(m_browser->target().profile) : std::nullopt;
    for (const sql::FilterField field : sql::kAllOf<sql::FilterField>) {
        const sql::FilterFieldFacts &facts = sql::filterFieldFacts(field);
        if (by && facts.compares == sql::FilterCompares::Time && facts.roles.front() == by) {
            return QString::fromUtf16(facts.name);
        }
    }
    return {};
}

bool KeySpreadController::narrowed() const
{
    const QString text = m_browser->filterText();
    return !timeField().isEmpty() && lexFilter(wholeFilter()).size() < lexFilter(text).size();
}

QString KeySpreadController::wholeFilter() const
{
    return filterWithoutField(filterWithoutField(m_browser->filterText(), timeField()), u"age"_s);
}

QString KeySpreadController::rangeFilter(int first, int last) const
{
    if (bucketText(first, last).isEmpty()) {
        return m_browser->filterText();
    }
    const qint64 length = m_spread->bucketSeconds * sql::kMicros;
    const auto at = [&](int bucket) {
        return sql::Timestamp { sql::Timestamp::Kind::Finite, m_spread->since.micros + bucket * length }
            .toDateTime()
            .toString(Qt::ISODate);
    };
    const QString field = timeField();
    return filterWithTerm(wholeFilter(), u"%1>=%2 %1<%3"_s.arg(field, at(first), at(last + 1)));
}

QString KeySpreadController::scopeFilter(int scope) const
{
    const auto &labels = m_browser->target().profile.scope;
    const sql::SpreadScope &line = m_spread->scopes.at(scope);
    QStringList terms;
    for (qsizetype i = 0; !line.other && i < line.scope.size() && i < labels.size(); ++i) {
        terms += quoteFilterValue(labels.at(i).label) + u':'
            + (line.scope.at(i).null ? u"null"_s : quoteFilterValue(line.scope.at(i).text));
    }
    return terms.join(u' ');
}

QString KeySpreadController::cellFilter(int scope, int age) const
{
    QString text = m_browser->filterText();
    if (cellText(scope, age).isEmpty()) {
        return text;
    }
    text = wholeFilter();
    if (const QString terms = scopeFilter(scope); !terms.isEmpty()) {
        for (const auto &part : m_browser->target().profile.scope) {
            text = filterWithoutField(text, part.label);
        }
        text = filterWithTerm(filterWithoutField(text, u"scope"_s), terms);
    }
    QStringList ages;
    if (age > 0) {
        ages += u"age>="_s + QString::fromUtf16(kSpreadAgeTexts.at(std::size_t(age - 1)));
    }
    if (age < int(kSpreadAgeTexts.size())) {
        ages += u"age<"_s + QString::fromUtf16(kSpreadAgeTexts.at(std::size_t(age)));
    }
    return filterWithTerm(text, ages.join(u' '));
}

} // namespace idemdesk::models

#include "moc_spread_controller.cpp"
