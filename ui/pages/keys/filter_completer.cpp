// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/filter_completer.h"

#include "models/async.h"
#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "ui/delegates/record_delegate.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFuture>
#include <QLineEdit>
#include <QStandardItemModel>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kInsertRole = Qt::UserRole; // a candidate as it is inserted
constexpr int kPopupWidth = 420;

} // namespace

FilterCompleter::FilterCompleter(models::KeyBrowserController *browser, QLineEdit *edit)
    : QObject(edit)
    , m_browser(browser)
    , m_edit(edit)
    , m_completer(new QCompleter(this))
    , m_candidates(new QStandardItemModel(this))
{
    m_completer->setModel(m_candidates);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setWidget(edit);
    m_completer->setMaxVisibleItems(12);
    m_completer->popup()->setItemDelegate(new CompactDelegate(m_completer->popup()));
    m_completer->popup()->setObjectName(u"filterCandidates"_s);
    m_completer->popup()->setAccessibleName(tr("What could stand here"));
    connect(m_completer, qOverload<const QModelIndex &>(&QCompleter::activated), this,
        [this](const QModelIndex &index) { insert(index.data(kInsertRole).toString()); });
}

bool FilterCompleter::isOpen() const
{
    return m_completer->popup()->isVisible();
}

void FilterCompleter::close()
{
    ++m_ticket;
    m_completer->popup()->hide();
}

void FilterCompleter::complete()
{
    m_completion = models::completeFilter(m_edit->text(), m_edit->cursorPosition(), m_browser->vocabulary());
    offer(m_completion.candidates);
    const quint64 ticket = ++m_ticket;
    if (!m_completion.wantsValues || m_browser->database() == nullptr) {
        return;
    }
    auto future = m_browser->suggestValues(m_completion.field, m_completion.label, m_completion.typed);
    models::whenDone(future, this, [this, ticket](const sql::Result<QStringList> &values) {
        if (ticket != m_ticket || !values.ok()) {
            return; // completion is a convenience: its failure is no news
        }
        QStringList candidates = m_completion.candidates;
        for (const QString &value : *values) {
            candidates += models::quoteFilterValue(value);
        }
        offer(candidates);
    });
}

void FilterCompleter::offer(const QStringList &candidates)
{
    if (candidates.isEmpty() || !m_edit->hasFocus()) {
        m_completer->popup()->hide();
        return;
    }
    m_candidates->clear();
    for (const QString &candidate : candidates) {
        auto *item = new QStandardItem(models::displayText(candidate, 120)); // values from the table are hostile
        item->setData(candidate, kInsertRole);
        m_candidates->appendRow(item);
    }
    QRect place = m_edit->rect();
    place.setWidth(std::min(place.width(), kPopupWidth));
    m_completer->complete(place);
    m_completer->popup()->setCurrentIndex({}); // Enter takes what was typed, until an arrow key chose one of these
}

void FilterCompleter::insert(const QString &candidate)
{
    QString text = m_edit->text();
    text.replace(m_completion.replaceFrom, m_completion.replaceLength, candidate);
    m_edit->setText(text);
    m_edit->setCursorPosition(m_completion.replaceFrom + static_cast<int>(candidate.size()));
    emit inserted();
    if (candidate.endsWith(u':')) {
        complete(); // a value belongs behind it
    } else {
        close();
    }
}

} // namespace idemdesk::ui
