// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wizard.h"

#include "ui/theme/theme.h"
#include "ui/widgets/busy_bar.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_bar.h"
#include "ui/widgets/step_trail.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

/// There Enter takes a choice or ends an edit.
bool takesEnter(const QWidget *widget)
{
    const auto *list = qobject_cast<const QAbstractItemView *>(widget);
    return qobject_cast<const QComboBox *>(widget) != nullptr
        || (list != nullptr && list->editTriggers() != QAbstractItemView::NoEditTriggers);
}

} // namespace

Wizard::Wizard(const QString &prefix, const QString &title, QWidget *parent)
    : QDialog(parent)
    , m_trail(new StepTrail(this))
    , m_heading(titleLabel({}, this))
    , m_busy(new BusyBar(prefix + u"Busy"_s, tr("Asking the server"), this))
    , m_banner(new NoticeBar(this))
    , m_pages(new QStackedWidget(this))
    , m_buttons(new ButtonRow(this))
    , m_back(m_buttons->addBack(prefix + u"Back"_s, tr("&Back")))
    , m_go(m_buttons->addGo(prefix + u"Go"_s, {}))
    , m_cancel(m_buttons->addStay(prefix + u"Cancel"_s, tr("Cancel")))
{
    setWindowTitle(title);
    setAccessibleName(title);
    m_trail->setObjectName(prefix + u"Steps"_s);
    m_heading->setObjectName(prefix + u"Heading"_s);
    m_busy->keepItsPlace();
    m_go->installEventFilter(this);
    auto *layout = dialogColumn(this);
    layout->addWidget(m_trail);
    layout->addSpacing(2 * kGrid);
    layout->addWidget(m_heading);
    layout->addWidget(m_busy);
    layout->addWidget(m_banner);
    layout->addWidget(m_pages, 1);
    layout->addSpacing(kGrid);
    layout->addWidget(m_buttons);
    connect(m_back, &QPushButton::clicked, this, [this] { showStep(step() - 1); });
    connect(m_go, &QPushButton::clicked, this, [this] { go(step()); });
}

int Wizard::step() const
{
    return m_pages->currentIndex();
}

void Wizard::addStep(const WizardStep &step, QWidget *content)
{
    m_steps.append(step);
    m_trail->addStep(step.name);
    m_pages->addWidget(content);
}

void Wizard::begin()
{
    guideEnter(this);
    showStep(0);
}

void Wizard::showStep(int step)
{
    const WizardStep &shown = m_steps.at(step);
    const bool committed = step > 0 && m_steps.at(step - 1).commits;
    m_banner->clear();
    m_trail->setCurrent(step);
    m_heading->setText(shown.heading);
    m_pages->setCurrentIndex(step);
    m_back->setVisible(step > 0 && !committed);
    m_cancel->setVisible(!committed);
    m_go->setText(shown.go);
    m_go->setAccessibleName(QString(shown.go).remove(u'&'));
    m_buttons->setDefault(shown.commits ? m_cancel : m_go);
    setWhyNot({});
    entered(step);
}

void Wizard::setWhyNot(const QString &why)
{
    m_go->setEnabled(why.isEmpty());
    m_go->setAccessibleDescription(why);
    m_buttons->showReason(why);
}

void Wizard::setBusy(bool busy)
{
    m_busy->setVisible(busy);
}

void Wizard::press()
{
    m_go->click(); // does nothing while it is disabled
}

void Wizard::keyPressEvent(QKeyEvent *event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && takesEnter(focusWidget())) {
        event->accept();
        return;
    }
    QDialog::keyPressEvent(event);
}

/// The second half of a double click was meant for the step before.
bool Wizard::eventFilter(QObject *watched, QEvent *event)
{
    return (watched == m_go && event->type() == QEvent::MouseButtonDblClick) || QDialog::eventFilter(watched, event);
}

} // namespace idemdesk::ui
