// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/keys/related_view.h"

#include "models/filter/filter_parser.h"
#include "models/format/display_text.h"
#include "models/keys/key_browser.h"
#include "models/keys/key_detail.h"
#include "ui/delegates/record_delegate.h"
#include "ui/theme/theme.h"

#include <QHeaderView>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kFilterRole = Qt::UserRole;

enum Column { What, Value, ColumnCount };

} // namespace

RelatedView::RelatedView(models::KeyBrowserController *browser, models::KeyDetailController *detail, QWidget *parent)
    : QTreeWidget(parent)
    , m_browser(browser)
    , m_detail(detail)
{
    setObjectName(u"relatedView"_s);
    setAccessibleName(tr("Effects and related keys"));
    setColumnCount(ColumnCount);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setIndentation(3 * kGrid);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new CompactDelegate(this));
    header()->setStretchLastSection(true);
    setColumnWidth(What, 190);
    connect(this, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem *item) {
        if (const QString filter = item->data(What, kFilterRole).toString(); !filter.isEmpty()) {
            emit filterWanted(filter);
        }
    });
}

void RelatedView::sync()
{
    const int at = currentIndex().row();
    const bool under = currentIndex().parent().isValid();
    clear();
    if (m_detail->status() == models::KeyDetailController::Status::Empty) {
        return;
    }
    addEffects();
    addLinks();
    expandAll();
    if (under && at >= 0 && topLevelItemCount() > 0) {
        QTreeWidgetItem *links = topLevelItem(topLevelItemCount() - 1);
        setCurrentItem(links->child(std::min(at, links->childCount() - 1)));
    }
}

QTreeWidgetItem *RelatedView::addSection(const QString &title)
{
    auto *section = new QTreeWidgetItem(this, { title });
    section->setFlags(Qt::ItemIsEnabled);
    section->setFirstColumnSpanned(true);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    section->setFont(What, bold);
    return section;
}

void RelatedView::addEffects()
{
    QTreeWidgetItem *section = addSection(tr("Effects"));
    const auto &effects = m_detail->detail().effects;
    for (const sql::EffectResult &effect : effects) {
        const QString type = models::displayText(effect.type, 80);
        if (!effect.error.isEmpty()) {
            auto *item = new QTreeWidgetItem(section, { type, tr("could not be read: needs review") });
            item->setToolTip(Value, models::displayText(effect.error, models::kToolTipChars));
            item->setForeground(Value, themeColor(Token::Unknown));
        } else if (effect.rows.isEmpty()) {
            auto *item = new QTreeWidgetItem(section, { type, tr("none found") });
            item->setForeground(Value, themeColor(Token::MutedText));
        }
        for (const sql::EffectRow &row : effect.rows) {
            QString value = models::cellText(row.id, 80);
            if (!row.state.null) {
                value += u" · "_s + models::cellText(row.state, 60);
            }
            if (row.proves) {
                value += tr(" · proof");
            }
            auto *item = new QTreeWidgetItem(section, { type, value });
            item->setToolTip(Value,
                row.proves ? tr("Its presence proves that the request took effect.")
                           : tr("Its presence alone proves nothing."));
        }
    }
    if (effects.isEmpty()) {
        const bool loading = m_detail->status() == models::KeyDetailController::Status::Loading;
        auto *item = new QTreeWidgetItem(
            section, { loading ? tr("reading…") : tr("The profile names no effect for this table.") });
        item->setFirstColumnSpanned(true);
        item->setForeground(What, themeColor(Token::MutedText));
    }
}

void RelatedView::addLinks()
{
    QTreeWidgetItem *section = addSection(tr("Show in the list (Enter or double-click)"));
    const sql::KeyRecord &record = m_detail->detail().record;
    const auto link = [&](const QString &title, const QString &prefix, const sql::Cell &value) {
        if (value.null || value.text.isEmpty() || value.failed() || value.partial()) {
            return;
        }
        auto *item = new QTreeWidgetItem(section, { title, models::cellText(value, 80) });
        item->setData(What, kFilterRole, QString(prefix + models::quoteFilterValue(value.text)));
        item->setForeground(Value, themeColor(Token::Accent));
        item->setToolTip(Value, models::cellToolTip(value));
    };
    link(tr("Rows of this key"), u"key:"_s, record.key);
    const auto &scope = m_browser->target().profile.scope;
    for (qsizetype part = 0; part < std::min(scope.size(), record.scope.size()); ++part) {
        link(tr("Keys of this %1").arg(models::displayText(scope.at(part).label, 40)), scope.at(part).label + u':',
            record.scope.at(part));
    }
    link(tr("Keys of this owner"), u"owner:"_s, record.role(sql::Role::Owner));
    link(tr("Same fingerprint"), u"hash:"_s, record.role(sql::Role::Fingerprint));
    link(tr("Same result"), u"result:"_s, record.role(sql::Role::ResultId));
    link(tr("Same error code"), u"error:"_s, record.role(sql::Role::ErrorCode));
}

} // namespace idemdesk::ui
